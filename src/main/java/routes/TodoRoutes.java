package routes;

import access.Caller;
import access.Gate;
import access.Right;
import adapters.PayloadView;
import claims.ClaimedTodo;
import claims.Todos;
import claims.Verb;
import com.fasterxml.jackson.databind.JsonNode;
import com.github.f4b6a3.uuid.UuidCreator;
import http.HttpCall;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import model.Refusal;
import model.Todo;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;

/** Todos for those who make them and look at them: create, retry, pages, one with its history. */
public final class TodoRoutes extends RouteBuilder {
    /** Bytes of a queue's, worker's or kind's name. */
    static final int LONGEST_NAME = 200;

    private static final int LONGEST_TITLE = 1_000;
    private static final int LONGEST_KEY = 256;
    private static final int LARGEST_PAYLOAD = 1 << 20;
    private static final List<String> STATES = List.of("pending", "claimed", "done", "failed");

    /** How far the clock that made a todo's id may be behind the one that wrote created_at. */
    private static final Duration CLOCKS = Duration.ofHours(1);

    private final Gate gate;
    private final Todos todos;
    private final PayloadView payloads;

    public TodoRoutes(Gate gate, Todos todos, PayloadView payloads) {
        this.payloads = payloads;
        this.gate = gate;
        this.todos = todos;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/v1/todos?httpMethodRestrict=POST")
                .routeId("todo-create")
                .process(gate.lets(Right.CREATE))
                // shares its statement with whoever creates at the same time
                .process(new Awaited(this::create))
                .process(this::answerCreated);

        from("platform-http:/v1/todos?httpMethodRestrict=GET")
                .routeId("todo-list")
                .process(gate.lets(Right.READ))
                .process(this::list);

        from("platform-http:/v1/todos/{id}?httpMethodRestrict=GET")
                .routeId("todo-read")
                .process(gate.lets(Right.READ))
                .process(this::read);

        from("platform-http:/v1/todos/{id}/retry?httpMethodRestrict=POST")
                .routeId("todo-retry")
                .process(gate.lets(Right.RETRY))
                .process(this::retry);
    }

    private CompletionStage<Verb.Created> create(Exchange exchange) {
        Caller caller = Caller.of(exchange);
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        JsonNode payload = body.any("payload");
        String whyUnstorable = payload == null ? null : JsonRequest.whyUnstorable(payload);
        if (whyUnstorable != null) {
            body.wrong("payload", whyUnstorable);
        }
        OffsetDateTime readyAt = body.time("ready_at");
        Verb.Create create = new Verb.Create(
                UuidCreator.getTimeOrderedEpoch(),
                caller.accountId(),
                caller.credentialId(),
                caller.maker(),
                body.requiredName("queue"),
                body.requiredText("title", LONGEST_TITLE),
                body.text("kind", LONGEST_NAME),
                payload == null ? null : JsonRequest.json(payload),
                body.text("idempotency_key", LONGEST_KEY),
                body.text("assignee", LONGEST_NAME),
                body.whole("priority", Short.MIN_VALUE, Short.MAX_VALUE, 0),
                readyAt == null ? null : readyAt.toString(),
                body.whole("max_attempts", 1, 1_000));
        body.refuseIfWrong();
        if (create.payload() != null && JsonRequest.bytes(create.payload()) > LARGEST_PAYLOAD) {
            throw new Refusal(
                    Refusal.Code.BODY_TOO_LARGE,
                    "payload has more than " + LARGEST_PAYLOAD
                            + " bytes; store it elsewhere and say where (body_too_large)");
        }
        caller.queues(List.of(create.queue()));
        return todos.create(create);
    }

    private void answerCreated(Exchange exchange) {
        Verb.Created created = exchange.getMessage().getBody(Verb.Created.class);
        // who may only make todos learns that the key is taken, and not what somebody else put under it
        boolean mayRead = created.created() || Caller.of(exchange).may(Right.READ);
        Todo shown = mayRead ? created.todo() : created.todo().withoutPayload();
        HttpAnswers.json(
                exchange, created.created() ? 201 : 200, TodoView.whole(new ClaimedTodo(shown, null, null), payloads));
    }

    private void list(Exchange exchange) {
        QueryParameters query = QueryParameters.of(HttpCall.of(exchange));
        OffsetDateTime since = query.time("since");
        int limit = query.limit();
        Caller caller = Caller.of(exchange);
        String queue = query.text("queue");
        Todos.Page page = new Todos.Page(
                caller.accountId(),
                caller.queues(queue == null ? List.of() : List.of(queue)),
                query.oneOf("state", STATES),
                query.text("source"),
                query.text("kind"),
                since == null ? null : since.toString(),
                since == null ? null : firstIdOf(since.minus(CLOCKS)),
                query.cursor(TodoRoutes::parse),
                // one more than asked says whether there is another page
                limit + 1);
        query.refuseIfWrong();
        List<Todo> found = todos.list(page);
        List<Todo> shown = found.size() > limit ? found.subList(0, limit) : found;
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("todos", shown.stream().map(TodoView::listed).toList());
        answer.put(
                "next_cursor", found.size() > limit ? shown.get(limit - 1).id().toString() : null);
        HttpAnswers.ok(exchange, answer);
    }

    /** The smallest UUIDv7 of a time. */
    private static UUID firstIdOf(OffsetDateTime time) {
        return new UUID(Math.max(0, time.toInstant().toEpochMilli()) << 16, 0);
    }

    private void read(Exchange exchange) {
        UUID id = id(exchange);
        Caller caller = Caller.of(exchange);
        long account = caller.accountId();
        Todo todo = todos.find(account, caller.queuesOrNull(), id).orElseThrow(() -> unknown(id.toString()));
        HttpAnswers.ok(exchange, TodoView.withAttempts(todos.withBody(account, todo), payloads, todos.attempts(id)));
    }

    private void retry(Exchange exchange) {
        UUID id = id(exchange);
        JsonRequest.of(HttpCall.of(exchange)).refuseIfWrong();
        Caller caller = Caller.of(exchange);
        Todo retried = todos.retry(
                caller.accountId(),
                caller.credentialId(),
                id,
                caller.actor(),
                HttpCall.of(exchange).remoteAddress());
        HttpAnswers.ok(exchange, TodoView.whole(todos.withBody(caller.accountId(), retried), payloads));
    }

    /** The todo that the path names; what is no id is no todo. */
    static UUID id(Exchange exchange) {
        return id(HttpCall.of(exchange).pathParam("id"));
    }

    static UUID id(String text) {
        return uuid(text).orElseThrow(() -> unknown(text));
    }

    /** The id that a text is; empty when it is none. */
    static Optional<UUID> uuid(String text) {
        try {
            return Optional.of(parse(text));
        } catch (IllegalArgumentException noId) {
            return Optional.empty();
        }
    }

    private static UUID parse(String text) {
        UUID id = UUID.fromString(text);
        // Java also takes 1-1-1-1-1
        if (!id.toString().equalsIgnoreCase(text)) {
            throw new IllegalArgumentException(text);
        }
        return id;
    }

    private static Refusal unknown(String id) {
        return new Refusal(Refusal.Code.NOT_FOUND, "no todo " + id + " (not_found)");
    }
}
