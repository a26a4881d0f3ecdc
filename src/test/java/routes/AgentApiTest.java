package routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import fixtures.TestDatabase;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The calls of agents over HTTP: status, shape, and what is said about a call that is not right. */
class AgentApiTest {
    private static final List<String> FIELDS = List.of(
            "id",
            "queue",
            "source",
            "kind",
            "title",
            "state",
            "priority",
            "attempt",
            "failures",
            "max_attempts",
            "assignee",
            "owner",
            "ready_at",
            "lease_expires_at",
            "created_at",
            "updated_at",
            "claimed_at",
            "completed_at",
            "event_id",
            "payload_ref",
            "idempotency_key",
            "last_error",
            "failed_reason");

    @AutoClose
    private static final TestDatabase database = TestDatabase.create();

    private static Api api;

    @BeforeAll
    static void start() throws Exception {
        api = new Api(database);
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @BeforeEach
    void empty() {
        database.execute("TRUNCATE events, todos, todo_attempts, queues");
    }

    // --- create, read, list

    @Test
    void createdTodoIsAnsweredWhole() throws Exception {
        Api.Answer made = api.post("/v1/todos", """
                {"queue": "reviews", "title": "Look at #7", "kind": "review", "payload": {"n": [1, 2.5, null]},
                 "idempotency_key": "k", "priority": -3, "max_attempts": 2, "assignee": "ada"}""");

        assertThat(made.status()).isEqualTo(201);
        JsonNode todo = made.body();
        assertThat(names(todo)).containsAll(FIELDS).contains("payload", "result");
        assertThat(UUID.fromString(todo.get("id").asText()).version()).isEqualTo(7);
        assertThat(todo.get("state").asText()).isEqualTo("pending");
        assertThat(todo.get("source").asText()).isEqualTo("api");
        assertThat(todo.get("payload")).hasToString("{\"n\":[1,2.5,null]}");
        assertThat(todo.get("priority").asInt()).isEqualTo(-3);
        assertThat(todo.get("owner").isNull()).isTrue();
        assertThat(todo.get("ready_at").asText()).endsWith("Z");
    }

    @Test
    void secondTodoWithALiveKeyIsAnsweredAsTheFirst() throws Exception {
        String asked = "{\"queue\": \"reviews\", \"title\": \"t\", \"idempotency_key\": \"k\"}";

        Api.Answer first = api.post("/v1/todos", asked);
        Api.Answer second = api.post("/v1/todos", asked);

        assertThat(first.status()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
    }

    @Test
    void oneTodoShowsItsAttemptsTheLiveOneLast() throws Exception {
        String id = api.todo("reviews");
        api.claimed("reviews");
        api.post("/v1/todos/" + id + "/fail", "{\"attempt\": 1, \"error\": \"e\", \"retry_in_seconds\": 0}");
        api.post("/v1/claim", "{\"worker\": \"ada\"}");

        JsonNode attempts = api.get("/v1/todos/" + id).body().get("attempts");

        assertThat(attempts).hasSize(2);
        assertThat(attempts.get(0).get("outcome").asText()).isEqualTo("failed");
        assertThat(attempts.get(0).get("error").asText()).isEqualTo("e");
        assertThat(attempts.get(1).get("attempt").asInt()).isEqualTo(2);
        assertThat(attempts.get(1).get("worker").asText()).isEqualTo("ada");
        assertThat(attempts.get(1).get("outcome").isNull()).isTrue();
    }

    @Test
    void listGoesThroughEveryTodoOnceNewestFirst() throws Exception {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            made.add(0, api.todo(i % 2 == 0 ? "even" : "odd"));
        }

        List<String> listed = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = api.get("/v1/todos?limit=3" + cursor).body();
            page.get("todos").forEach(todo -> listed.add(todo.get("id").asText()));
            cursor = page.get("next_cursor").isNull()
                    ? null
                    : "&cursor=" + page.get("next_cursor").asText();
        } while (cursor != null);

        assertThat(listed).isEqualTo(made);
    }

    @Test
    void listIsFiltered() throws Exception {
        String even = api.todo("even");
        api.todo("odd");
        api.claimed("odd");

        assertThat(ids("/v1/todos?queue=even")).containsExactly(even);
        assertThat(ids("/v1/todos?state=pending")).containsExactly(even);
        assertThat(ids("/v1/todos?state=claimed&queue=odd")).hasSize(1);
        assertThat(ids("/v1/todos?source=github")).isEmpty();
        assertThat(ids("/v1/todos?kind=review")).isEmpty();
        assertThat(ids("/v1/todos?since=2020-01-01T00:00:00Z")).hasSize(2);
        assertThat(ids("/v1/todos?since=2999-01-01T00:00:00Z")).isEmpty();
    }

    @Test
    void listLeavesPayloadAndResultOut() throws Exception {
        api.todo("reviews");

        JsonNode listed = api.get("/v1/todos").body().get("todos").get(0);

        assertThat(names(listed)).containsAll(FIELDS).doesNotContain("payload", "result", "attempts");
    }

    @Test
    void retriedTodoIsPendingAndATwinIsNamed() throws Exception {
        String asked = "{\"queue\": \"reviews\", \"title\": \"t\", \"idempotency_key\": \"k\"}";
        String id = api.post("/v1/todos", asked).body().get("id").asText();
        api.claimed("reviews");
        api.post("/v1/todos/" + id + "/fail", "{\"attempt\": 1, \"error\": \"e\", \"dead\": true}");
        String twin = api.post("/v1/todos", asked).body().get("id").asText();

        Api.Answer refused = api.post("/v1/todos/" + id + "/retry", "");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("live_twin");
        assertThat(refused.body().get("todo_id").asText()).isEqualTo(twin);

        api.claimed("reviews");
        api.post("/v1/todos/" + twin + "/complete", "{\"attempt\": 1}");
        Api.Answer retried = api.post("/v1/todos/" + id + "/retry", "{}");
        assertThat(retried.status()).isEqualTo(200);
        assertThat(retried.body().get("state").asText()).isEqualTo("pending");
        assertThat(api.post("/v1/todos/" + id + "/retry", "{}").code()).isEqualTo("not_failed");
    }

    // --- claim

    @Test
    void claimWithoutAnyWishTakesOneOfAnyQueue() throws Exception {
        api.todo("reviews");
        api.todo("reviews");

        Api.Answer claimed = api.post("/v1/claim", "");

        assertThat(claimed.status()).isEqualTo(200);
        assertThat(claimed.body().get("todos")).hasSize(1);
        JsonNode todo = claimed.body().get("todos").get(0);
        assertThat(names(todo)).containsAll(FIELDS).contains("payload", "result");
        assertThat(todo.get("state").asText()).isEqualTo("claimed");
        assertThat(todo.get("owner").asText()).isEqualTo("operator");
        assertThat(todo.get("attempt").asInt()).isEqualTo(1);
    }

    @Test
    void payloadIsTheEventsBodyWhereThatIsJson() throws Exception {
        event(1, "application/json", "{\"big\": 123456789012345678901234567890, \"text\": \"ä\"}");
        event(2, "text/plain", "no json");
        event(3, "application/x-www-form-urlencoded", "payload=%7B%22form%22%3A1%7D");

        JsonNode todos = api.post("/v1/claim", "{\"limit\": 10}").body().get("todos");

        assertThat(todos.get(0).get("payload")).hasToString("{\"big\":123456789012345678901234567890,\"text\":\"ä\"}");
        assertThat(todos.get(1).get("payload").isNull()).isTrue();
        assertThat(todos.get(2).get("payload")).hasToString("{\"form\":1}");
        String id = todos.get(0).get("id").asText();
        assertThat(api.get("/v1/todos/" + id).body().get("payload").get("text").asText())
                .isEqualTo("ä");
    }

    @Test
    void waitingClaimIsAnsweredWhenATodoComes() throws Exception {
        CompletableFuture<HttpResponse<String>> waiting =
                api.posting("/v1/claim", "{\"queues\": [\"reviews\"], \"wait_seconds\": 60}");
        await().until(() -> api.desk.numbers().parked() == 1);

        String id = api.todo("reviews");
        api.ring("reviews");

        assertThat(Api.now(waiting).body().get("todos").get(0).get("id").asText())
                .isEqualTo(id);
    }

    @Test
    void waitInVainIsAnsweredWithNothing() throws Exception {
        Api.Answer empty = api.post("/v1/claim", "{\"queues\": [\"reviews\"], \"wait_seconds\": 1}");

        assertThat(empty.status()).isEqualTo(200);
        assertThat(empty.body()).hasToString("{\"todos\":[]}");
    }

    @Test
    void clientThatHangsUpLeavesItsPlaceToOthers() throws Exception {
        CompletableFuture<HttpResponse<String>> hangsUp =
                api.posting("/v1/claim", "{\"queues\": [\"reviews\"], \"wait_seconds\": 60}");
        await().until(() -> api.desk.numbers().parked() == 1);

        hangsUp.cancel(true);
        await().until(() -> api.desk.numbers().parked() == 0);
        String id = api.todo("reviews");
        api.ring("reviews");

        assertThat(api.claimed("reviews").get("id").asText()).isEqualTo(id);
    }

    @Test
    void manyAgentsAtOnceEachGetATodoOfTheirOwn() throws Exception {
        Set<String> made = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            made.add(api.todo("reviews"));
        }
        List<CompletableFuture<HttpResponse<String>>> agents = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            agents.add(api.posting("/v1/claim", "{\"queues\": [\"reviews\"]}"));
        }

        Set<String> claimed = new HashSet<>();
        for (CompletableFuture<HttpResponse<String>> agent : agents) {
            claimed.add(Api.now(agent).body().get("todos").get(0).get("id").asText());
        }

        assertThat(claimed).isEqualTo(made);
    }

    // --- the verbs

    @Test
    void attemptGoesFromClaimOverHeartbeatToDone() throws Exception {
        String id = api.todo("reviews");

        Api.Answer claimed = api.post("/v1/todos/" + id + "/claim", "{\"lease_seconds\": 5, \"worker\": \"ada\"}");
        Api.Answer beaten = api.post("/v1/todos/" + id + "/heartbeat", "{\"attempt\": 1, \"lease_seconds\": 600}");
        Api.Answer done = api.post("/v1/todos/" + id + "/complete", "{\"attempt\": 1, \"result\": {\"ok\": true}}");
        Api.Answer again = api.post("/v1/todos/" + id + "/complete", "{\"attempt\": 1, \"result\": {\"ok\": true}}");

        assertThat(claimed.status()).isEqualTo(200);
        assertThat(claimed.body().get("state").asText()).isEqualTo("claimed");
        assertThat(beaten.body().get("lease_expires_at").asText())
                .isGreaterThan(claimed.body().get("lease_expires_at").asText());
        assertThat(done.status()).isEqualTo(200);
        assertThat(done.body().get("state").asText()).isEqualTo("done");
        assertThat(done.body().get("result")).hasToString("{\"ok\":true}");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(done.body());
        assertThat(api.post("/v1/todos/" + id + "/claim", "{}").code()).isEqualTo("not_claimable");
    }

    @Test
    void staleAttemptIsRefusedByEveryVerb() throws Exception {
        String id = api.todo("reviews");
        api.claimed("reviews");
        assertThat(api.post("/v1/todos/" + id + "/release", "{\"attempt\": 1}").status())
                .isEqualTo(200);
        api.claimed("reviews");

        for (String verb : List.of("heartbeat", "complete", "release")) {
            Api.Answer refused = api.post("/v1/todos/" + id + "/" + verb, "{\"attempt\": 1}");
            assertThat(refused.status()).as(verb).isEqualTo(409);
            assertThat(refused.code()).as(verb).isEqualTo("stale_attempt");
        }
        assertThat(api.post("/v1/todos/" + id + "/fail", "{\"attempt\": 1, \"error\": \"e\"}")
                        .code())
                .isEqualTo("stale_attempt");
    }

    @Test
    void bulkEndsEachItemForItselfInTheOrderAsked() throws Exception {
        String good = api.todo("reviews");
        String poisoned = api.todo("reviews");
        String huge = api.todo("reviews");
        api.post("/v1/claim", "{\"limit\": 10}");
        String unknown = UUID.randomUUID().toString();

        Api.Answer answer =
                api.post("/v1/complete", """
                {"todos": [{"id": "%s", "attempt": 1, "result": "\\u0000"}, {"id": "%s", "attempt": 1, "result": 7},
                           {"id": "%s", "attempt": 1}, {"id": "%s", "attempt": 2}, {"id": "no id", "attempt": 1},
                           {"id": "%s", "attempt": 1, "result": "%s"}]}""".formatted(poisoned, good, unknown, good, huge, "x".repeat(256 << 10)));

        assertThat(answer.status()).isEqualTo(200);
        JsonNode items = answer.body().get("todos");
        assertThat(items.findValuesAsText("status")).containsExactly("400", "200", "404", "409", "404", "413");
        assertThat(items.findValuesAsText("code"))
                .containsExactly(
                        "invalid_request", "null", "not_found", "stale_attempt", "not_found", "result_too_large");
        assertThat(items.get(1).get("todo").get("result").asInt()).isEqualTo(7);
        assertThat(items.get(0).get("id").asText()).isEqualTo(poisoned);
    }

    // --- calls that are not right

    @Test
    void everythingThatIsWrongIsSaidAtOnceWithTheNearestName() throws Exception {
        Api.Answer refused = api.post("/v1/claim", "{\"limt\": 3, \"wait_seconds\": 61, \"queues\": \"reviews\"}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.code()).isEqualTo("invalid_request");
        JsonNode errors = refused.body().get("errors");
        assertThat(errors.findValuesAsText("field")).containsExactlyInAnyOrder("limt", "wait_seconds", "queues");
        assertThat(errors.findValuesAsText("message"))
                .anyMatch(message -> message.contains("did you mean \"limit\"?"))
                .anyMatch(message -> message.contains("from 0 to 60"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/claim | {\"limit\": 0} | limit",
                "/v1/claim | {\"limit\": 101} | limit",
                "/v1/claim | {\"limit\": 1.5} | limit",
                "/v1/claim | {\"limit\": \"1\"} | limit",
                "/v1/claim | {\"lease_seconds\": 86401} | lease_seconds",
                "/v1/claim | {\"queues\": [\"\"]} | queues",
                "/v1/claim | {\"worker\": \"a\\u0000b\"} | worker",
                "/v1/todos | {\"queue\": \"q\"} | title",
                "/v1/todos | {\"queue\": \"q\", \"title\": \"t\", \"ready_at\": \"tomorrow\"} | ready_at",
                "/v1/todos | {\"queue\": \"q\", \"title\": \"t\", \"payload\": \"\\u0000\"} | payload",
                "/v1/todos | {\"queue\": \"q\", \"title\": \"t\", \"payload\": \"\\ud800\"} | payload",
                "/v1/complete | {\"todos\": []} | todos",
                "/v1/complete | {\"todos\": [{\"id\": \"x\"}]} | todos[0].attempt",
                "/v1/complete | {\"todos\": [{\"id\": \"x\", \"attempt\": 1, \"reslt\": 1}]} | todos[0].reslt",
            })
    void invalidFieldIsNamed(String path, String body, String field) throws Exception {
        Api.Answer refused = api.post(path, body);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().get("errors").findValuesAsText("field")).contains(field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1]", "1", "null", "\"text\""})
    void bodyThatIsNoObjectIsRefused(String body) throws Exception {
        assertThat(api.post("/v1/claim", body).code()).isEqualTo("invalid_request");
    }

    @Test
    void brokenJsonIsRefused() throws Exception {
        assertThat(api.post("/v1/claim", "{\"limit\":").code()).isEqualTo("invalid_json");
    }

    @Test
    void tooLargeResultsAndErrorsAreRefusedAndChangeNothing() throws Exception {
        String id = api.todo("reviews");
        api.claimed("reviews");

        Api.Answer result = api.post(
                "/v1/todos/" + id + "/complete", "{\"attempt\": 1, \"result\": \"" + "x".repeat(256 << 10) + "\"}");
        Api.Answer error =
                api.post("/v1/todos/" + id + "/fail", "{\"attempt\": 1, \"error\": \"" + "x".repeat(8193) + "\"}");

        assertThat(result.status()).isEqualTo(413);
        assertThat(result.code()).isEqualTo("result_too_large");
        assertThat(error.status()).isEqualTo(413);
        assertThat(api.get("/v1/todos/" + id).body().get("state").asText()).isEqualTo("claimed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-id", "1-1-1-1-1", "01935f3a-0000-7000-8000-000000000000"})
    void whatIsNoTodoIsNotFound(String id) throws Exception {
        for (String path : List.of("/claim", "/heartbeat", "/complete", "/release", "/retry")) {
            String body = path.equals("/claim") || path.equals("/retry") ? "{}" : "{\"attempt\": 1}";
            Api.Answer refused = api.post("/v1/todos/" + id + path, body);
            assertThat(refused.status()).as(path).isEqualTo(404);
            assertThat(refused.code()).as(path).isEqualTo("not_found");
        }
        assertThat(api.get("/v1/todos/" + id).code()).isEqualTo("not_found");
    }

    @Test
    void callWithoutACredentialIsRefusedByEveryRoute() throws Exception {
        String id = api.todo("reviews");

        for (String path : List.of(
                "/v1/claim",
                "/v1/complete",
                "/v1/todos",
                "/v1/todos/" + id + "/claim",
                "/v1/todos/" + id + "/heartbeat",
                "/v1/todos/" + id + "/complete",
                "/v1/todos/" + id + "/fail",
                "/v1/todos/" + id + "/release",
                "/v1/todos/" + id + "/retry")) {
            assertThat(api.withoutCredential(path).status()).as(path).isEqualTo(401);
        }
        assertThat(api.get("/v1/todos/" + id).body().get("state").asText()).isEqualTo("pending");
    }

    @Test
    void aTodoThatKeepsFailingNeitherStopsItsQueueNorSpinsInIt() throws Exception {
        String failing = api.todo("reviews");
        String good = api.todo("reviews");

        assertThat(api.claimed("reviews").get("id").asText()).isEqualTo(failing);
        api.post("/v1/todos/" + failing + "/fail", "{\"attempt\": 1, \"error\": \"e\"}");

        assertThat(api.claimed("reviews").get("id").asText()).isEqualTo(good);
        // it waits for its backoff, however often somebody asks
        for (int i = 0; i < 3; i++) {
            assertThat(api.post("/v1/claim", "{\"queues\": [\"reviews\"]}")
                            .body()
                            .get("todos"))
                    .isEmpty();
        }
    }

    private static List<String> ids(String path) throws Exception {
        List<String> ids = new ArrayList<>();
        api.get(path).body().get("todos").forEach(todo -> ids.add(todo.get("id").asText()));
        return ids;
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static void event(long id, String contentType, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        database.execute(
                "INSERT INTO events (account_id, id, source, family, trust_mode, verified, content_type, payload, payload_size)"
                        + " VALUES (1, ?, 'github', 'webhook', 'signed', true, ?, ?, ?)",
                id,
                contentType,
                bytes,
                bytes.length);
        database.execute(
                "INSERT INTO todos (id, account_id, queue, source, event_id) VALUES (?, 1, 'reviews', 'github', ?)",
                com.github.f4b6a3.uuid.UuidCreator.getTimeOrderedEpoch(),
                id);
    }
}
