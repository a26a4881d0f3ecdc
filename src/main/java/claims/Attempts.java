package claims;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Stream;
import model.Refusal;
import model.Todo;
import org.apache.camel.CamelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verbs by which owners end, extend or begin an attempt at one todo. Each is done by a statement that serves whoever
 * asks at the same time. Promise: only who names the live attempt and holds it changes anything, and the same verb again
 * answers the same, as long as the todo was not claimed since.
 */
public final class Attempts {
    /** Claims todos by their ids. */
    public static final String CLAIM_ONE = "direct:claim-one-todo";

    public static final String HEARTBEAT = "direct:heartbeat-todos";
    public static final String COMPLETE = "direct:complete-todos";
    public static final String FAIL = "direct:fail-todos";
    public static final String RELEASE = "direct:release-todos";

    private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** What one caller is told. */
    private record Outcome(Todo todo, Refusal refusal) {}

    private final Statements statements;
    private final Batcher<Verb.ClaimOne, Outcome> claims;
    private final Batcher<Verb.Heartbeat, Outcome> heartbeats;
    private final Batcher<Verb.Complete, Outcome> completes;
    private final Batcher<Verb.Fail, Outcome> fails;
    private final Batcher<Verb.Attempt, Outcome> releases;
    private final LongAdder stale = new LongAdder();
    private final AtomicLong staleLogged = new AtomicLong(System.nanoTime() - SECOND);

    /**
     * @param threads where the statements run, at most two of each verb at a time
     * @param answers where callers go on; never a thread that runs statements
     */
    public Attempts(CamelContext context, ExecutorService threads, Executor answers) {
        this.statements = new Statements(context);
        this.claims = new Batcher<>(
                "claim a todo",
                items -> run(
                        CLAIM_ONE,
                        claimColumns(items),
                        items.stream().map(i -> new Verb.Attempt(i.id(), i.account(), i.credential(), i.owner(), 0))),
                threads,
                answers);
        this.heartbeats = new Batcher<>(
                "heartbeat",
                items -> run(
                        HEARTBEAT,
                        fence(items, Verb.Heartbeat::attempt)
                                .with("leases", Integer.class, Verb.Heartbeat::leaseSeconds),
                        items.stream().map(Verb.Heartbeat::attempt)),
                threads,
                answers);
        this.completes = new Batcher<>(
                "complete",
                items -> run(
                        COMPLETE,
                        fence(items, Verb.Complete::attempt).with("results", String.class, Verb.Complete::result),
                        items.stream().map(Verb.Complete::attempt)),
                threads,
                answers);
        this.fails = new Batcher<>(
                "fail",
                items -> run(
                        FAIL,
                        fence(items, Verb.Fail::attempt)
                                .with("errors", String.class, Verb.Fail::error)
                                .with("waits", Integer.class, Verb.Fail::retryInSeconds)
                                .with("deads", Boolean.class, Verb.Fail::dead),
                        items.stream().map(Verb.Fail::attempt)),
                threads,
                answers);
        this.releases = new Batcher<>(
                "release", items -> run(RELEASE, fence(items, item -> item), items.stream()), threads, answers);
    }

    /**
     * Claims the one todo.
     *
     * @return it with its own payload, or {@code not_claimable}, {@code not_found}
     */
    public CompletableFuture<Todo> claim(Verb.ClaimOne claim) {
        return told(claims.ask(claim));
    }

    /**
     * Extends a lease that has not lapsed.
     *
     * @return the todo without payload, or {@code stale_attempt}, {@code not_found}; so do the other verbs
     */
    public CompletableFuture<Todo> heartbeat(Verb.Heartbeat heartbeat) {
        return told(heartbeats.ask(heartbeat));
    }

    /** Ends an attempt well. */
    public CompletableFuture<Todo> complete(Verb.Complete complete) {
        return told(completes.ask(complete));
    }

    /** Ends an attempt badly. */
    public CompletableFuture<Todo> fail(Verb.Fail fail) {
        return told(fails.ask(fail));
    }

    /** Ends an attempt as if it had never been, but for the number. */
    public CompletableFuture<Todo> release(Verb.Attempt attempt) {
        return told(releases.ask(attempt));
    }

    /** Gives back what nobody took. */
    void giveBack(long account, List<ClaimedTodo> undelivered) {
        for (ClaimedTodo claimed : undelivered) {
            Todo todo = claimed.todo();
            release(new Verb.Attempt(todo.id(), account, null, todo.owner(), todo.attempt()))
                    .whenComplete((released, refused) -> {
                        if (refused != null) {
                            LOG.info(
                                    "a todo that nobody took waits for its lease to lapse todo={}", todo.id(), refused);
                        }
                    });
        }
    }

    private static CompletableFuture<Todo> told(CompletableFuture<Outcome> asked) {
        CompletableFuture<Todo> told = new CompletableFuture<>();
        asked.whenComplete((outcome, thrown) -> {
            if (thrown != null) {
                told.completeExceptionally(thrown);
            } else if (outcome.refusal != null) {
                told.completeExceptionally(outcome.refusal);
            } else {
                told.complete(outcome.todo);
            }
        });
        return told;
    }

    private static <A> Columns<A> fence(List<A> items, Function<A, Verb.Attempt> attempt) {
        return new Columns<>(items)
                .with("ids", String.class, item -> attempt.apply(item).id().toString())
                .with("accounts", Long.class, item -> attempt.apply(item).account())
                .with("owners", String.class, item -> attempt.apply(item).owner())
                .with("credentials", Long.class, item -> attempt.apply(item).credential())
                .with("attempts", Integer.class, item -> attempt.apply(item).attempt());
    }

    private static Columns<Verb.ClaimOne> claimColumns(List<Verb.ClaimOne> items) {
        return new Columns<>(items)
                .with("ids", String.class, item -> item.id().toString())
                .with("accounts", Long.class, Verb.ClaimOne::account)
                .with("owners", String.class, Verb.ClaimOne::owner)
                .with("credentials", Long.class, Verb.ClaimOne::credential)
                .with("workers", String.class, Verb.ClaimOne::worker)
                .with("assignees", String.class, Verb.ClaimOne::assignee)
                .with("leases", Integer.class, Verb.ClaimOne::leaseSeconds);
    }

    /** One statement; when it returns, what it changed is committed, so nothing that comes after may fail the batch. */
    private List<Outcome> run(String direct, Columns<?> columns, Stream<Verb.Attempt> attempts) throws Exception {
        Map<Integer, TodoRows.Row> rows = new HashMap<>();
        statements.todos(direct, columns.parameters()).forEach(row -> rows.put(row.n(), row));
        List<Outcome> outcomes = new ArrayList<>();
        attempts.forEach(attempt -> outcomes.add(outcome(rows.get(outcomes.size() + 1), attempt)));
        return outcomes;
    }

    private Outcome outcome(TodoRows.Row row, Verb.Attempt attempt) {
        return switch (row.verdict()) {
            case CHANGED -> new Outcome(row.todo(), null);
            case REPEATED -> read(attempt);
            case NOT_CLAIMABLE ->
                new Outcome(
                        null,
                        new Refusal(
                                Refusal.Code.NOT_CLAIMABLE,
                                "todo " + attempt.id()
                                        + " cannot be claimed now: it is not pending, not due, kept for another worker, or its queue is paused (not_claimable)"));
            case STALE -> stale(attempt);
            case REFUSED -> new Outcome(null, Refusal.unauthorized());
            default -> new Outcome(null, unknown(attempt.id()));
        };
    }

    private Outcome read(Verb.Attempt attempt) {
        try {
            return statements.todos(Todos.GET, Todos.one(attempt.account(), null, attempt.id())).stream()
                    .findFirst()
                    .map(row -> new Outcome(row.todo().withoutPayload(), null))
                    .orElseGet(() -> new Outcome(null, unknown(attempt.id())));
        } catch (Exception e) {
            return new Outcome(null, Fault.unavailable(e));
        }
    }

    private Outcome stale(Verb.Attempt attempt) {
        stale.increment();
        long last = staleLogged.get();
        long now = System.nanoTime();
        if (now - last >= SECOND && staleLogged.compareAndSet(last, now)) {
            LOG.info(
                    "a stale attempt changed nothing todo={} attempt={} owner={} total={}",
                    attempt.id(),
                    attempt.attempt(),
                    attempt.owner(),
                    stale.sum());
        }
        return new Outcome(
                null,
                new Refusal(
                        Refusal.Code.STALE_ATTEMPT,
                        "todo " + attempt.id() + ": attempt " + attempt.attempt()
                                + " is not yours or not live any more; nothing was changed, drop this work (stale_attempt)"));
    }

    static Refusal unknown(UUID id) {
        return new Refusal(Refusal.Code.NOT_FOUND, "no todo " + id + " (not_found)");
    }

    /** Verbs that were fenced off since the start. */
    public long stale() {
        return stale.sum();
    }

    /** Calls that wait for their statement. */
    public int waiting() {
        return claims.waiting() + heartbeats.waiting() + completes.waiting() + fails.waiting() + releases.waiting();
    }

    /** Takes no call any more and waits for those that are in. Returns whether they are through. */
    public boolean drain(Duration grace) throws InterruptedException {
        long until = System.nanoTime() + grace.toNanos();
        boolean through = true;
        for (Batcher<?, ?> batcher : List.of(claims, heartbeats, completes, fails, releases)) {
            through &= batcher.drain(until - System.nanoTime());
        }
        return through;
    }
}
