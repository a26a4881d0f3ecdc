package claims;

import com.github.f4b6a3.uuid.UuidCreator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import model.Refusal;
import model.Todo;
import org.apache.camel.CamelContext;

/** Todos as their makers and readers see them: made over the API, found, listed, given another life. */
public final class Todos {
    /** Makes todos for many callers. */
    public static final String CREATE = "direct:create-todos";
    /** The live todos that hold keys. */
    public static final String LIVE_TWINS = "direct:live-twins-of-todos";

    public static final String GET = "direct:get-todo";
    public static final String ATTEMPTS = "direct:attempts-of-todo";
    public static final String EVENT_BODY = "direct:event-body-of-todo";
    public static final String LIST = "direct:list-todos";
    public static final String LIST_QUEUES = "direct:list-todos-of-queues";
    /** In one transaction: keeps the event of a todo from being pruned, and gives the todo another life. */
    public static final String RETRY = "direct:retry-todo";

    private static final int TRIES = 5;

    private final Statements statements;
    private final Batcher<Verb.Create, Verb.Created> creates;

    /**
     * @param threads where the statements run that many callers share
     * @param answers where their callers go on
     */
    public Todos(CamelContext context, ExecutorService threads, Executor answers) {
        this.statements = new Statements(context);
        this.creates = new Batcher<>("create a todo", this::createAll, threads, answers);
    }

    /** Makes a todo, or meets the live one that holds its key. */
    public CompletableFuture<Verb.Created> create(Verb.Create create) {
        return creates.ask(create).thenApply(created -> {
            if (created.todo() == null) {
                throw Refusal.unauthorized();
            }
            return created;
        });
    }

    /** A twin may finish between the insert that it swallowed and its reading: then the key is free, so insert again. */
    private List<Verb.Created> createAll(List<Verb.Create> items) throws Exception {
        Verb.Created[] created = new Verb.Created[items.size()];
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            open.add(i);
        }
        for (int tries = 0; tries < TRIES && !open.isEmpty(); tries++) {
            note(created, open, statements.todos(CREATE, creates(pick(items, open))), true);
            open.removeIf(i -> created[i] != null);
            if (!open.isEmpty()) {
                note(created, open, statements.todos(LIVE_TWINS, keys(pick(items, open))), false);
                open.removeIf(i -> created[i] != null);
            }
        }
        if (!open.isEmpty()) {
            throw new IllegalStateException("the keys of " + open.size() + " todos are taken and free by turns");
        }
        return Arrays.asList(created);
    }

    private static void note(Verb.Created[] created, List<Integer> asked, List<TodoRows.Row> rows, boolean made) {
        for (TodoRows.Row row : rows) {
            created[asked.get(row.n() - 1)] =
                    new Verb.Created(row.verdict() == Verdict.REFUSED ? null : row.todo(), made);
        }
    }

    private static List<Verb.Create> pick(List<Verb.Create> items, List<Integer> indexes) {
        return indexes.stream().map(items::get).toList();
    }

    private static Map<String, Object> creates(List<Verb.Create> items) {
        return new Columns<>(items)
                .with("ids", String.class, item -> item.id().toString())
                .with("accounts", Long.class, Verb.Create::account)
                .with("queues", String.class, Verb.Create::queue)
                .with("titles", String.class, Verb.Create::title)
                .with("kinds", String.class, Verb.Create::kind)
                .with("payloads", String.class, Verb.Create::payload)
                .with("keys", String.class, Verb.Create::idempotencyKey)
                .with("assignees", String.class, Verb.Create::assignee)
                .with("priorities", Integer.class, Verb.Create::priority)
                .with("ready_ats", String.class, Verb.Create::readyAt)
                .with("caps", Integer.class, Verb.Create::maxAttempts)
                .with("creators", String.class, Verb.Create::creator)
                .with("credentials", Long.class, Verb.Create::credential)
                .parameters();
    }

    private static Map<String, Object> keys(List<Verb.Create> items) {
        return new Columns<>(items)
                .with("accounts", Long.class, Verb.Create::account)
                .with("queues", String.class, Verb.Create::queue)
                .with("keys", String.class, Verb.Create::idempotencyKey)
                .parameters();
    }

    /**
     * Gives a failed todo another life.
     *
     * @param actor who asks, for the audit log
     * @param sourceIp from where
     * @throws Refusal {@code not_found}, {@code not_failed}, or {@code live_twin} with the twin's id in {@code todo_id}
     */
    public Todo retry(long account, Long credential, UUID id, String actor, String sourceIp) {
        Map<String, Object> parameters = new HashMap<>(one(account, null, id));
        parameters.put("credential", credential);
        parameters.put("actor", actor);
        parameters.put("source_ip", sourceIp);
        parameters.put("audit_id", UuidCreator.getTimeOrderedEpoch().toString());
        for (int tries = 1; ; tries++) {
            try {
                return retried(id, statements.todos(RETRY, parameters));
            } catch (Refusal refusal) {
                throw refusal;
            } catch (Exception e) {
                // a twin was made between the look and the write: the next look sees it
                if (!Fault.isUniqueViolation(e) || tries == TRIES) {
                    throw Fault.unavailable(e);
                }
            }
        }
    }

    private static Todo retried(UUID id, List<TodoRows.Row> rows) {
        if (rows.isEmpty()) {
            throw Attempts.unknown(id);
        }
        TodoRows.Row row = rows.get(0);
        return switch (row.verdict()) {
            case CHANGED -> row.todo();
            case LIVE_TWIN ->
                throw new Refusal(
                                Refusal.Code.LIVE_TWIN,
                                "todo " + id + ": the live todo " + row.todo().id() + " holds its key (live_twin)")
                        .with("todo_id", row.todo().id().toString());
            default ->
                throw new Refusal(
                                Refusal.Code.NOT_FAILED,
                                "todo " + id + " is " + row.todo().state()
                                        + "; only a failed one is retried (not_failed)")
                        .with("state", row.todo().state());
        };
    }

    /**
     * One todo whole; empty when it is none of this account, or of none of these queues.
     *
     * @param queues null for all
     */
    public Optional<Todo> find(long account, String[] queues, UUID id) {
        return reading(() -> statements.todos(GET, one(account, queues, id))).stream()
                .findFirst()
                .map(TodoRows.Row::todo);
    }

    static Map<String, Object> one(long account, String[] queues, UUID id) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("account", account);
        parameters.put("id", id.toString());
        parameters.put("queues", queues);
        return parameters;
    }

    /** How its attempts ended, oldest first: columns of {@code todo_attempts}. */
    public List<Map<String, Object>> attempts(UUID id) {
        return reading(() -> statements.maps(ATTEMPTS, Map.of("id", id.toString())));
    }

    /** Its event's body as it came, in a todo's words; without body when there is none. */
    public ClaimedTodo withBody(long account, Todo todo) {
        if (todo.payload() != null || todo.eventId() == null) {
            return new ClaimedTodo(todo, null, null);
        }
        return reading(() -> statements.maps(EVENT_BODY, Map.of("account", account, "event", todo.eventId()))).stream()
                .findFirst()
                .map(row -> new ClaimedTodo(todo, (String) row.get("content_type"), (byte[]) row.get("payload")))
                .orElseGet(() -> new ClaimedTodo(todo, null, null));
    }

    /**
     * What a page holds; nulls stand for anything.
     *
     * @param queues only todos of these; empty for all
     * @param before the last todo of the page before
     * @param since RFC 3339
     * @param oldest ids below it are older than {@code since}
     */
    public record Page(
            long account,
            List<String> queues,
            String state,
            String source,
            String kind,
            String since,
            UUID oldest,
            UUID before,
            int limit) {}

    /** Newest first, without payloads and results. */
    public List<Todo> list(Page page) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("account", page.account);
        parameters.put("queues", page.queues.toArray(String[]::new));
        parameters.put("state", page.state);
        parameters.put("source", page.source);
        parameters.put("kind", page.kind);
        parameters.put("since", page.since);
        parameters.put("oldest", text(page.oldest));
        parameters.put("before", text(page.before));
        parameters.put("limit", page.limit);
        return reading(() -> statements.todos(page.queues.isEmpty() ? LIST : LIST_QUEUES, parameters)).stream()
                .map(TodoRows.Row::todo)
                .toList();
    }

    private static String text(UUID id) {
        return id == null ? null : id.toString();
    }

    private interface Reading<T> {
        T run() throws Exception;
    }

    private static <T> T reading(Reading<T> reading) {
        try {
            return reading.run();
        } catch (Exception e) {
            throw Fault.unavailable(e);
        }
    }

    public boolean drain(Duration grace) throws InterruptedException {
        return creates.drain(grace.toNanos());
    }
}
