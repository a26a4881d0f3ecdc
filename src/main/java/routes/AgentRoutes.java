package routes;

import access.Caller;
import access.Gate;
import access.Right;
import adapters.PayloadView;
import claims.Attempts;
import claims.ClaimAsk;
import claims.ClaimedTodo;
import claims.Desk;
import claims.ParkedClaim;
import claims.Todos;
import claims.Verb;
import com.fasterxml.jackson.databind.JsonNode;
import http.HttpCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import model.Refusal;
import model.Todo;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;

/**
 * What agents call: claim, then heartbeat, complete, fail or release. A call waits without a thread until the statement
 * that serves it, and whoever else asked at the time, is committed.
 */
public final class AgentRoutes extends RouteBuilder {
    private static final int LONGEST_LEASE = 86_400;
    private static final int MOST_QUEUES = 100;
    private static final int MOST_BYTES = 16 << 20;
    private static final int MOST_ITEMS = 500;
    private static final int LARGEST_RESULT = 256 << 10;
    private static final int LONGEST_ERROR = 8 << 10;
    private static final int LONGEST_RETRY = 30 * 86_400;

    private final Gate gate;
    private final Desk desk;
    private final Attempts attempts;
    private final Todos todos;
    private final PayloadView payloads;

    public AgentRoutes(Gate gate, Desk desk, Attempts attempts, Todos todos, PayloadView payloads) {
        this.payloads = payloads;
        this.gate = gate;
        this.desk = desk;
        this.attempts = attempts;
        this.todos = todos;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/v1/claim?httpMethodRestrict=POST")
                .routeId("agent-claim")
                .process(gate.lets(Right.CLAIM))
                .process(new Awaited(this::claim))
                // a client that left meanwhile gets nothing: what was claimed for it goes back
                .process(this::answerClaimed);

        from("platform-http:/v1/todos/{id}/claim?httpMethodRestrict=POST")
                .routeId("agent-claim-one")
                .process(gate.lets(Right.CLAIM))
                .process(new Awaited(this::claimOne))
                .process(this::answerOne);

        from("platform-http:/v1/todos/{id}/heartbeat?httpMethodRestrict=POST")
                .routeId("agent-heartbeat")
                .process(gate.lets(Right.HEARTBEAT))
                .process(new Awaited(this::heartbeat))
                .process(AgentRoutes::answerVerb);

        from("platform-http:/v1/todos/{id}/complete?httpMethodRestrict=POST")
                .routeId("agent-complete")
                .process(gate.lets(Right.COMPLETE))
                .process(new Awaited(this::complete))
                .process(AgentRoutes::answerVerb);

        from("platform-http:/v1/todos/{id}/fail?httpMethodRestrict=POST")
                .routeId("agent-fail")
                .process(gate.lets(Right.FAIL))
                .process(new Awaited(this::fail))
                .process(AgentRoutes::answerVerb);

        from("platform-http:/v1/todos/{id}/release?httpMethodRestrict=POST")
                .routeId("agent-release")
                .process(gate.lets(Right.RELEASE))
                .process(new Awaited(this::release))
                .process(AgentRoutes::answerVerb);

        from("platform-http:/v1/complete?httpMethodRestrict=POST")
                .routeId("agent-complete-many")
                .process(gate.lets(Right.COMPLETE))
                .process(new Awaited(this::completeMany))
                .process(exchange -> HttpAnswers.ok(
                        exchange, Map.of("todos", exchange.getMessage().getBody())));
    }

    private CompletionStage<List<ClaimedTodo>> claim(Exchange exchange) {
        HttpCall call = HttpCall.of(exchange);
        Caller caller = Caller.of(exchange);
        JsonRequest body = JsonRequest.of(call);
        String worker = body.text("worker", TodoRoutes.LONGEST_NAME);
        List<String> named = body.texts("queues", MOST_QUEUES, TodoRoutes.LONGEST_NAME);
        int limit = body.whole("limit", 1, 100, 1);
        Integer lease = body.whole("lease_seconds", 1, LONGEST_LEASE);
        Duration patience = Duration.ofSeconds(body.whole("wait_seconds", 0, 60, 0));
        int maxBytes = body.whole("max_bytes", 0, MOST_BYTES, 1 << 20);
        body.refuseIfWrong();
        ParkedClaim parked = desk.claim(new ClaimAsk(
                caller.accountId(),
                caller.credentialId(),
                caller.owner(),
                worker,
                caller.assignee(worker),
                queues(caller, named),
                limit,
                lease,
                patience,
                maxBytes));
        if (gate.hasChangedSince(exchange)) {
            // the look at who waits may have come before this one waited
            desk.accessChanged();
        }
        call.onGone(why -> {
            if (why == HttpCall.Gone.CLIENT) {
                parked.abandon();
            } else {
                parked.endWait();
            }
        });
        return parked.answer();
    }

    /** As named; a scope's own queues by turns, beginning anywhere, so that none of them is always the last. */
    private static List<String> queues(Caller caller, List<String> named) {
        List<String> meant = caller.queues(named);
        if (!named.isEmpty() || meant.size() < 2) {
            return meant;
        }
        List<String> turned = new ArrayList<>(meant);
        Collections.rotate(turned, ThreadLocalRandom.current().nextInt(turned.size()));
        return turned;
    }

    @SuppressWarnings("unchecked")
    private void answerClaimed(Exchange exchange) {
        List<ClaimedTodo> todos = exchange.getMessage().getBody(List.class);
        if (HttpCall.of(exchange).gone() == HttpCall.Gone.CLIENT) {
            desk.giveBack(Caller.of(exchange).accountId(), todos);
        }
        HttpAnswers.ok(exchange, Map.of("todos", TodoView.wholes(todos, payloads)));
    }

    private CompletionStage<Todo> claimOne(Exchange exchange) {
        Caller caller = Caller.of(exchange);
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        String worker = body.text("worker", TodoRoutes.LONGEST_NAME);
        Verb.ClaimOne claim = new Verb.ClaimOne(
                TodoRoutes.id(exchange),
                caller.accountId(),
                caller.credentialId(),
                caller.owner(),
                worker,
                caller.assignee(worker),
                body.whole("lease_seconds", 1, LONGEST_LEASE));
        body.refuseIfWrong();
        return attempts.claim(claim);
    }

    private CompletionStage<Todo> heartbeat(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        Verb.Heartbeat heartbeat =
                new Verb.Heartbeat(attempt(exchange, body), body.whole("lease_seconds", 1, LONGEST_LEASE));
        body.refuseIfWrong();
        return attempts.heartbeat(heartbeat);
    }

    private CompletionStage<Todo> complete(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        Verb.Attempt attempt = attempt(exchange, body);
        JsonNode result = body.any("result");
        body.refuseIfWrong();
        return attempts.complete(new Verb.Complete(attempt, result(result)));
    }

    private CompletionStage<Todo> fail(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        Verb.Fail fail = new Verb.Fail(
                attempt(exchange, body),
                body.requiredText("error", (int) FrontDoor.API_MAX_BODY),
                body.whole("retry_in_seconds", 0, LONGEST_RETRY),
                body.flag("dead"));
        body.refuseIfWrong();
        if (JsonRequest.bytes(fail.error()) > LONGEST_ERROR) {
            throw tooLarge("error", LONGEST_ERROR);
        }
        return attempts.fail(fail);
    }

    private CompletionStage<Todo> release(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        Verb.Attempt attempt = attempt(exchange, body);
        body.refuseIfWrong();
        return attempts.release(attempt);
    }

    private static Verb.Attempt attempt(Exchange exchange, JsonRequest body) {
        return attempt(
                Caller.of(exchange), TodoRoutes.id(exchange), body.requiredWhole("attempt", 1, Integer.MAX_VALUE));
    }

    private static Verb.Attempt attempt(Caller caller, UUID id, int number) {
        return new Verb.Attempt(id, caller.accountId(), caller.credentialId(), caller.owner(), number);
    }

    /** Each item ends for itself: one that is refused holds up none of its neighbours. */
    private CompletionStage<List<Map<String, Object>>> completeMany(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        List<Item> items = new ArrayList<>();
        for (JsonRequest item : body.requiredObjects("todos", MOST_ITEMS)) {
            items.add(new Item(
                    item.requiredText("id", TodoRoutes.LONGEST_NAME),
                    item.requiredWhole("attempt", 1, Integer.MAX_VALUE),
                    item.any("result")));
        }
        body.refuseIfWrong();
        List<CompletableFuture<Map<String, Object>>> outcomes =
                items.stream().map(item -> complete(Caller.of(exchange), item)).toList();
        return CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
                .thenApply(all -> outcomes.stream().map(CompletableFuture::join).toList());
    }

    private record Item(String id, int attempt, JsonNode result) {}

    private CompletableFuture<Map<String, Object>> complete(Caller caller, Item item) {
        CompletableFuture<Todo> completed;
        try {
            Verb.Attempt attempt = attempt(caller, TodoRoutes.id(item.id), item.attempt);
            completed = attempts.complete(new Verb.Complete(attempt, result(item.result)));
        } catch (Refusal refusal) {
            completed = CompletableFuture.failedFuture(refusal);
        }
        return completed.handle((todo, failure) -> TodoView.outcome(item.id, todo, refusal(failure)));
    }

    private static Refusal refusal(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause == null || cause instanceof Refusal) {
            return (Refusal) cause;
        }
        throw new CompletionException(cause);
    }

    private static String result(JsonNode result) {
        if (result == null) {
            return null;
        }
        String why = JsonRequest.whyUnstorable(result);
        if (why != null) {
            throw new FieldError("result", why).refusal();
        }
        String json = JsonRequest.json(result);
        if (JsonRequest.bytes(json) > LARGEST_RESULT) {
            throw tooLarge("result", LARGEST_RESULT);
        }
        return json;
    }

    private static Refusal tooLarge(String field, int most) {
        return new Refusal(
                Refusal.Code.RESULT_TOO_LARGE,
                field + " has more than " + most + " bytes; store it elsewhere and say where (result_too_large)");
    }

    private void answerOne(Exchange exchange) {
        Todo todo = exchange.getMessage().getBody(Todo.class);
        HttpAnswers.ok(
                exchange, TodoView.whole(todos.withBody(Caller.of(exchange).accountId(), todo), payloads));
    }

    private static void answerVerb(Exchange exchange) {
        HttpAnswers.ok(exchange, TodoView.afterVerb(exchange.getMessage().getBody(Todo.class)));
    }
}
