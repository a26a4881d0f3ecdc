package claims;

import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.Uninterruptibles;
import fixtures.Queries;
import fixtures.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import model.Todo;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.postgresql.ds.PGSimpleDataSource;
import pgevent.ListenComponent;
import pgevent.ListenConsumer;
import routes.DeskRoutes;
import routes.Storage;
import routes.WakeRoute;

/** A desk with its statements on a real database, and nothing else: no timers, no listener; wakes are rung by hand. */
final class TestDesk implements AutoCloseable {
    static final long ACCOUNT = 1;
    static final String OWNER = "operator";
    static final String LISTENER = "desk-listener";
    private static final int THREADS = 4;

    final DefaultCamelContext context = new DefaultCamelContext();
    final Wakeups wakeups = new Wakeups();
    final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    final ExecutorService answers = Executors.newFixedThreadPool(4);
    final Sweeps sweeps;
    final Attempts attempts;
    final Todos todos;
    final Desk desk;
    volatile int repollSeconds = 60;
    private CountDownLatch occupied;

    private final Queries database;

    TestDesk(Queries database, DataSource pool) throws Exception {
        this(database, pool, Desk.Size.DEFAULT);
    }

    TestDesk(Queries database, DataSource pool, Desk.Size size, RouteBuilder... more) throws Exception {
        this.database = database;
        Storage.bind(context, pool);
        context.addRoutes(new DeskRoutes());
        for (RouteBuilder routes : more) {
            context.addRoutes(routes);
        }
        context.start();
        sweeps = new Sweeps(context, wakeups);
        attempts = new Attempts(context, threads, answers);
        todos = new Todos(context, threads, answers);
        desk = new Desk(context, wakeups, sweeps, attempts, threads, answers, () -> repollSeconds, size);
        desk.start();
    }

    /** With the real listener: what is announced in the database wakes. */
    static TestDesk listening(TestDatabase database) throws Exception {
        TestDesk desk = new TestDesk(database, database.pool());
        desk.context.getRegistry().bind("pgevent", new ListenComponent());
        PGSimpleDataSource listener = new PGSimpleDataSource();
        listener.setUrl(database.jdbcUrl());
        listener.setUser(database.user());
        listener.setPassword(database.password());
        listener.setApplicationName(LISTENER);
        desk.context.getRegistry().bind(WakeRoute.LISTENER, listener);
        desk.context.addRoutes(new WakeRoute(desk.wakeups, desk.desk::accessChanged));
        await().until(() -> desk.listener().isUp());
        return desk;
    }

    ListenConsumer listener() {
        return (ListenConsumer) context.getRoute(WakeRoute.ID).getConsumer();
    }

    /** Waits in line and is answered with what there is, at the latest when its patience ends. */
    ParkedClaim parks(Ask ask) {
        return desk.claim(ask.build());
    }

    List<Todo> claims(Ask ask) {
        return todos(parks(ask));
    }

    static List<Todo> todos(ParkedClaim parked) {
        return now(parked.answer()).stream().map(ClaimedTodo::todo).toList();
    }

    /** Claims the one todo that there must be. */
    Todo claimsOne(String queue) {
        List<Todo> claimed = claims(Ask.of(queue));
        if (claimed.size() != 1) {
            throw new AssertionError("expected one todo on " + queue + ", got " + claimed);
        }
        return claimed.get(0);
    }

    Todo retry(long account, UUID id) {
        return todos.retry(account, null, id, OWNER, "127.0.0.1");
    }

    static Verb.Attempt attempt(Todo todo) {
        return new Verb.Attempt(todo.id(), ACCOUNT, null, OWNER, todo.attempt());
    }

    /** The answer, which must come soon; a refusal is thrown as itself. */
    static <T> T now(CompletableFuture<T> answer) {
        try {
            return answer.orTimeout(10, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException refusal) {
                throw refusal;
            }
            if (e.getCause() instanceof TimeoutException) {
                throw new AssertionError("no answer within 10 s", e);
            }
            throw e;
        }
    }

    UUID todo(String queue) {
        return now(todos.create(Draft.on(queue).build())).todo().id();
    }

    List<UUID> todos(String queue, int count) {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(todo(queue));
        }
        return ids;
    }

    /** From now on verbs wait for a thread, so that those that are said meanwhile share a statement. */
    void occupyVerbThreads() {
        CountDownLatch freed = new CountDownLatch(1);
        for (int i = 0; i < THREADS; i++) {
            threads.execute(() -> Uninterruptibles.awaitUninterruptibly(freed));
        }
        occupied = freed;
    }

    void freeVerbThreads() {
        occupied.countDown();
    }

    String state(UUID id) {
        return (String) database.value("SELECT state FROM todos WHERE id = ?", id);
    }

    /** The lease of a claimed todo ended a minute ago. */
    void lapse(UUID id) {
        database.execute("UPDATE todos SET lease_expires_at = now() - interval '1 minute' WHERE id = ?", id);
    }

    @Override
    public void close() {
        try {
            desk.stop(Duration.ofSeconds(10));
            attempts.drain(Duration.ofSeconds(10));
            todos.drain(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        context.stop();
        wakeups.close();
        threads.shutdownNow();
        answers.shutdownNow();
    }

    /** What an agent asks for: one todo at once unless said otherwise. */
    static final class Ask {
        private final List<String> queues;
        private String worker;
        private int limit = 1;
        private Integer leaseSeconds = 300;
        private Duration patience = Duration.ZERO;
        private int maxBytes = 1 << 20;

        private Ask(List<String> queues) {
            this.queues = queues;
        }

        static Ask of(String... queues) {
            return new Ask(List.of(queues));
        }

        static Ask ofAnyQueue() {
            return new Ask(List.of());
        }

        Ask as(String label) {
            worker = label;
            return this;
        }

        Ask atMost(int todos) {
            limit = todos;
            return this;
        }

        Ask leasedAsItsQueueSays() {
            leaseSeconds = null;
            return this;
        }

        Ask leasedFor(int seconds) {
            leaseSeconds = seconds;
            return this;
        }

        Ask waiting(Duration longest) {
            patience = longest;
            return this;
        }

        Ask waiting() {
            return waiting(Duration.ofSeconds(60));
        }

        Ask withBytes(int most) {
            maxBytes = most;
            return this;
        }

        ClaimAsk build() {
            return new ClaimAsk(ACCOUNT, null, OWNER, worker, worker, queues, limit, leaseSeconds, patience, maxBytes);
        }
    }

    /** A todo to be made, plain unless said otherwise. */
    static final class Draft {
        private final String queue;
        private String payload;
        private String key;
        private String assignee;
        private int priority;
        private String readyAt;
        private Integer maxAttempts;

        private Draft(String queue) {
            this.queue = queue;
        }

        static Draft on(String queue) {
            return new Draft(queue);
        }

        Draft payload(String json) {
            payload = json;
            return this;
        }

        Draft key(String idempotencyKey) {
            key = idempotencyKey;
            return this;
        }

        Draft keptFor(String worker) {
            assignee = worker;
            return this;
        }

        Draft priority(int higherFirst) {
            priority = higherFirst;
            return this;
        }

        Draft readyAt(String time) {
            readyAt = time;
            return this;
        }

        Draft maxAttempts(int most) {
            maxAttempts = most;
            return this;
        }

        Verb.Create build() {
            return new Verb.Create(
                    com.github.f4b6a3.uuid.UuidCreator.getTimeOrderedEpoch(),
                    ACCOUNT,
                    null,
                    OWNER,
                    queue,
                    "a todo on " + queue,
                    null,
                    payload,
                    key,
                    assignee,
                    priority,
                    readyAt,
                    maxAttempts);
        }
    }
}
