import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import adapters.AdapterType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import fixtures.Answer;
import fixtures.ApiDocument;
import fixtures.ApiDocument.Operation;
import fixtures.Bearer;
import fixtures.Deliveries;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.Operator;
import http.Approach;
import hub.Hub;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import model.Refusal;
import net.Proxies;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import routes.FrontDoor;
import routes.Settings;

/** {@code openapi.yaml} says what is served, no more and no less, and a running hub answers as it says. */
@SuppressWarnings("DefaultPackage") // like ArchitectureTest: it is about the whole house
class OpenApiTest {
    private static final ApiDocument API = ApiDocument.load();
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String SOME_TODO = "0199c0de-4a5b-7c6d-8e9f-0a1b2c3d4e5f";

    @TempDir
    static Path folder;

    private static DurableDatabase database;
    private static Hub hub;
    private static Operator operator;
    private static String stored;

    @BeforeAll
    static void aHub() {
        database = DurableDatabase.create();
        hub = Hub.start(
                HubHome.in(folder).database(database.url()).adapters("""
                        adapters:
                          - name: github
                            type: github
                            secret: "{{env:GITHUB_WEBHOOK_SECRET}}"
                            max_body: 4KiB
                            todos:
                              - name: broken
                                when: payload.number / 0 == 1
                                queue: builds
                              - when: type == "push"
                                queue: pushes
                                kind: push
                                title: "{payload.ref}"
                                stop: true
                          - name: homelab
                            type: generic
                            token: "{{env:HOMELAB_TOKEN}}"
                          - name: nobody
                            type: generic
                          - name: graph
                            type: ms-graph
                            secret: state
                          - name: pages
                            type: meta
                            secret: known
                            verify_token: made-up
                        """).config());
        operator = Operator.of(hub.uri());
        stored = Bearer.operatorOf(hub.uri())
                .made("/v1/webhooks", "{\"name\": \"stored\", \"queue\": \"stored\"}")
                .path("path")
                .asText();
    }

    @AfterAll
    static void stop() {
        hub.close();
        database.close();
    }

    @Test
    void everyPathThatARouteServesIsDescribedAndNoOther() throws IOException {
        Pattern served = Pattern.compile("platform-http:(/[^?\"]+)\\?httpMethodRestrict=([A-Z]+)\"");
        Set<String> routes = new TreeSet<>();
        int starts = 0;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                String source = Files.readString(file);
                starts += source.split("from\\(\"platform-http:", -1).length - 1;
                Matcher matcher = served.matcher(source);
                while (matcher.find()) {
                    routes.add(matcher.group(2) + " " + matcher.group(1));
                }
            }
        }

        assertThat(routes).hasSize(starts);
        assertThat(API.operations()).extracting(Operation::toString).containsExactlyInAnyOrderElementsOf(routes);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void everyPathThatIsDescribedIsServedWithTheseMethods(String path) {
        Set<String> methods = new TreeSet<>(Set.of("OPTIONS"));
        API.operations().stream()
                .filter(operation -> operation.path().equals(path))
                .forEach(operation -> methods.add(operation.method()));
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }

        Answer answer = Answer.to(HttpRequest.newBuilder(hub.uri()
                        .resolve(path.replace("/webhooks/w/{name}", stored)
                                .replace("/webhooks/generic/{name}", "/webhooks/generic/homelab")
                                .replace("{name}", "github")
                                .replaceAll("\\{\\w+}", "1")))
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody()));

        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.headers().firstValue("Allow")).contains(String.join(", ", methods));
    }

    static Stream<String> paths() {
        return API.operations().stream().map(Operation::path).distinct();
    }

    @Test
    void theDocumentIsServedAsItIsAlsoWhileTheHubStarts() throws IOException {
        Answer answer = Answer.toGet(hub.uri().resolve("/openapi.yaml"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/yaml");
        assertThat(answer.text()).isEqualTo(Files.readString(Path.of("src/main/resources/openapi.yaml")));
        FrontDoor closed = new FrontDoor(Proxies.NONE);
        assertThat(closed.admit(new Approach("GET", "/openapi.yaml", "/openapi.yaml", "127.0.0.1", name -> null))
                        .maxBody())
                .isZero();
        assertThatThrownBy(() -> closed.admit(new Approach("GET", "/v1/todos", "/v1/todos", "127.0.0.1", name -> null)))
                .isInstanceOf(Refusal.class);
    }

    @Test
    void wordsOfTheDocumentAreTheWordsOfTheCode() {
        assertThat(words(API.schema("Code")))
                .containsExactlyElementsOf(Arrays.stream(Refusal.Code.values())
                        .map(Refusal.Code::word)
                        .toList());
        assertThat(words(API.schema("SettingKey")))
                .containsExactlyElementsOf(Arrays.stream(Settings.Key.values())
                        .map(Settings.Key::word)
                        .toList());
        assertThat(words(API.schema("Adapter").at("/properties/type")))
                .containsExactlyElementsOf(
                        AdapterType.all().stream().map(AdapterType::word).toList());
    }

    @ParameterizedTest
    @MethodSource("requests")
    void everyFieldOfARequestIsReadWithTheBoundsThatAreDescribed(Operation operation) {
        JsonNode schema = API.resolved(operation.request());
        ObjectNode wrong = JSON.createObjectNode();
        List<Fault> expected = new ArrayList<>();
        schema.path("properties").properties().forEach(property -> {
            JsonNode described = API.resolved(property.getValue());
            if (described.path("type").asText().equals("object")) {
                wrong.put(property.getKey(), 1);
            } else {
                wrong.putObject(property.getKey()).put("not", "this");
            }
            rule(described).ifPresent(rule -> expected.add(new Fault(property.getKey(), "must be " + rule)));
        });
        everyKnownField().filter(field -> !schema.path("properties").has(field)).forEach(field -> {
            wrong.put(field, 1);
            expected.add(new Fault(field, "unknown field"));
        });

        Answer answer = ask(operation, wrong);

        API.holds(operation, answer);
        assertThat(answer.code()).isEqualTo("invalid_request");
        assertFaults(answer, expected);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void everyFieldThatMustBeThereIsDescribedSo(Operation operation) {
        List<Fault> expected = new ArrayList<>();
        API.resolved(operation.request())
                .path("required")
                .forEach(field -> expected.add(new Fault(field.asText(), "is required")));

        Answer answer = ask(operation, JSON.createObjectNode());

        if (expected.isEmpty()) {
            assertThat(answer.status()).isIn(200, 404);
        } else {
            assertFaults(answer, expected);
        }
    }

    static Stream<Operation> requests() {
        return API.operations().stream()
                .filter(operation -> !operation.request().isMissingNode())
                .filter(operation -> !operation.tags().contains("operator"));
    }

    @Test
    void itemsOfABulkHaveTheBoundsThatAreDescribed() {
        ObjectNode wrong = JSON.createObjectNode();
        ObjectNode item = wrong.putArray("todos").addObject();
        List<Fault> expected = new ArrayList<>();
        API.schema("CompleteMany")
                .at("/properties/todos/items/properties")
                .properties()
                .forEach(property -> {
                    item.putObject(property.getKey());
                    rule(API.resolved(property.getValue()))
                            .ifPresent(rule ->
                                    expected.add(new Fault("todos[0]." + property.getKey(), "must be " + rule)));
                });
        item.put("worker", 1);
        expected.add(new Fault("todos[0].worker", "unknown field"));

        assertFaults(ask(API.operation("completeMany"), wrong), expected);
    }

    @Test
    void parametersOfAPageHaveTheBoundsThatAreDescribed() {
        for (String page : List.of("listTodos", "listEvents")) {
            Operation operation = API.operation(page);
            List<String> names = new ArrayList<>();
            StringBuilder query = new StringBuilder();
            operation.node().path("parameters").forEach(parameter -> {
                JsonNode schema = API.resolved(API.resolved(parameter).path("schema"));
                String name = API.resolved(parameter).path("name").asText();
                boolean free = schema.path("type").asText().equals("string") && !schema.has("format");
                query.append(query.isEmpty() ? "?" : "&").append(name).append("=wrong!");
                if (!free || name.equals("cursor")) {
                    names.add(name);
                }
            });

            Answer wrong = operator.get(operation.path() + query);

            API.holds(operation, wrong);
            assertThat(wrong.body().path("errors").findValuesAsText("field"))
                    .containsExactlyInAnyOrderElementsOf(names);
            assertThat(operator.get(operation.path() + "?limit=100").status()).isEqualTo(200);
            assertThat(operator.get(operation.path() + "?limit=101").body().at("/errors/0/message"))
                    .hasToString("\"must be a whole number from 1 to 100\"");
        }
    }

    @Test
    void everyOperationAnswersAsDescribed() {
        Story story = new Story();

        story.ofDeliveries();
        story.ofTodos();
        story.ofAnOperator();
        story.ofAccounts();

        Set<String> told = new TreeSet<>();
        API.operations()
                .forEach(operation -> operation.successes().forEach(status -> told.add(operation.id() + " " + status)));
        assertThat(story.seen).containsAll(told);
    }

    /** Calls every operation as its users do, and holds each answer against the document. */
    private static final class Story {
        private final Set<String> seen = new TreeSet<>();

        void ofDeliveries() {
            Deliveries push = Deliveries.signedBy("github").withId("story-1").body("{\"ref\":\"main\",\"number\":1}");
            Answer first = seen("deliverSigned", push.sendTo(hub.uri()), 202);
            seen("deliverSigned", push.sendTo(hub.uri()), 200);
            seen("deliverSigned", push.tampered().sendTo(hub.uri()), 401);
            seen(
                    "deliverSigned",
                    push.withoutHeader("X-GitHub-Event")
                            .withoutId()
                            .signedWith("other")
                            .sendTo(hub.uri()),
                    401);
            seen("deliverSigned", push.body("x".repeat(5_000)).sendTo(hub.uri()), 413);
            seen("deliverSigned", Deliveries.signedBy("gitlab").sendTo(hub.uri()), 404);

            seen("deliverSigned", Deliveries.signedBy("graph").sendTo(hub.uri()), 403);
            seen(
                    "deliverSigned",
                    Deliveries.signedBy("graph").query("validationToken=%00").sendTo(hub.uri()),
                    400);

            String question = "/webhooks/pages?hub.mode=subscribe&hub.challenge=1&hub.verify_token=";
            seen("askBeforeDelivering", Answer.toGet(hub.uri().resolve(question + "made-up")), 200);
            seen("askBeforeDelivering", Answer.toGet(hub.uri().resolve(question + "guessed")), 403);
            seen("askBeforeDelivering", Answer.toGet(hub.uri().resolve("/webhooks/github")), 405);
            seen("askBeforeDelivering", Answer.toGet(hub.uri().resolve("/webhooks/nobody")), 404);

            Deliveries alert = Deliveries.withTokenFor("homelab").withId("story-2");
            seen("deliverWithToken", alert.sendTo(hub.uri()), 202);
            seen("deliverWithToken", alert.sendTo(hub.uri()), 200);
            seen(
                    "deliverWithToken",
                    alert.header("X-Switchboard-Token", "guessed").sendTo(hub.uri()),
                    403);
            seen("deliverWithToken", alert.withoutHeader("X-Switchboard-Token").sendTo(hub.uri()), 403);
            seen("deliverWithToken", Deliveries.withTokenFor("nobody").sendTo(hub.uri()), 404);
            seen(
                    "deliverWithToken",
                    Deliveries.withTokenFor("homelab")
                            .contentType("text/plain")
                            .body("")
                            .sendTo(hub.uri()),
                    202);

            Answer page = seen("listEvents", operator.get("/v1/events?limit=1"), 200);
            seen(
                    "listEvents",
                    operator.get("/v1/events?cursor="
                            + page.body().path("next_cursor").asText()),
                    200);
            seen("listEvents", stranger("/v1/events"), 401);
            Answer event = seen("getEvent", operator.get("/v1/events/" + first.eventId()), 200);
            assertThat(event.body().at("/rule_trace/faults")).hasSize(1);
            assertThat(event.body().at("/duplicates").asInt()).isEqualTo(1);
            seen("getEvent", operator.get("/v1/events/0"), 404);
            seen("getEvent", operator.get("/v1/events/one"), 404);
            seen("getEventPayload", operator.get("/v1/events/" + first.eventId() + "/payload"), 200);
            seen("getEventPayload", operator.get("/v1/events/0/payload"), 404);
        }

        void ofTodos() {
            String asked =
                    "{\"queue\":\"chores\",\"title\":\"Water\",\"payload\":{\"plant\":\"fern\"},\"idempotency_key\":\"fern\"}";
            seen("createTodo", operator.post("/v1/todos", asked), 201);
            seen("createTodo", operator.post("/v1/todos", asked), 200);
            seen("createTodo", operator.post("/v1/todos", "[]"), 400);
            seen("createTodo", operator.post("/v1/todos", "{\"queue\":"), 400);
            seen("listTodos", operator.get("/v1/todos?queue=chores&state=pending&source=api"), 200);

            String claim = "{\"queues\":[\"chores\"],\"worker\":\"gardener\",\"wait_seconds\":5}";
            Answer claimed = seen("claim", operator.post("/v1/claim", claim), 200);
            JsonNode todo = claimed.body().at("/todos/0");
            String path = "/v1/todos/" + todo.required("id").asText();
            seen("claim", operator.post("/v1/claim", "{\"queues\":[\"empty\"]}"), 200);
            seen("claim", operator.post("/v1/claim", "{\"queues\":[\"pushes\"],\"limit\":2}"), 200);
            seen("claimOne", operator.post(path + "/claim", ""), 409);
            seen("heartbeat", operator.post(path + "/heartbeat", "{\"attempt\":1}"), 200);
            seen("heartbeat", operator.post(path + "/heartbeat", "{\"attempt\":2}"), 409);
            seen("release", operator.post(path + "/release", "{\"attempt\":1}"), 200);
            seen("claimOne", operator.post(path + "/claim", "{\"worker\":\"gardener\"}"), 200);
            seen("getTodo", operator.get(path), 200);
            seen("fail", operator.post(path + "/fail", "{\"attempt\":2,\"error\":\"dry\",\"dead\":true}"), 200);
            seen("fail", operator.post(path + "/fail", "{\"attempt\":2,\"error\":\"" + "x".repeat(9_000) + "\"}"), 413);
            seen("createTodo", operator.post("/v1/todos", asked), 201);
            Answer twin = seen("retry", operator.post(path + "/retry", ""), 409);
            String twinPath = "/v1/todos/" + twin.body().required("todo_id").asText();
            seen("complete", operator.post(twinPath + "/complete", "{\"attempt\":1}"), 409);
            seen("claimOne", operator.post(twinPath + "/claim", ""), 200);
            seen("complete", operator.post(twinPath + "/complete", "{\"attempt\":1,\"result\":[1,\"two\"]}"), 200);
            seen("retry", operator.post(twinPath + "/retry", ""), 409);
            seen("retry", operator.post(path + "/retry", "{}"), 200);
            seen("retry", operator.post(path + "/retry", "{\"attempt\":1}"), 400);
            seen("complete", operator.post("/v1/todos/nothing/complete", "{\"attempt\":1}"), 404);
            seen("getTodo", operator.get("/v1/todos/" + SOME_TODO), 404);
            seen(
                    "completeMany",
                    operator.post(
                            "/v1/complete", """
                    {"todos":[{"id":"%s","attempt":1},{"id":"%s","attempt":7},{"id":"none","attempt":1}]}""".formatted(todo.required("id").asText(), SOME_TODO)),
                    200);
            seen("completeMany", operator.post("/v1/complete", "{\"todos\":[]}"), 400);
            seen("getTodo", operator.get(path), 200);
        }

        void ofAnOperator() {
            seen("listSettings", operator.get("/v1/operator/settings"), 200);
            seen("listSettings", stranger("/v1/operator/settings"), 401);
            seen("putSetting", operator.put("/v1/operator/settings/retention_max_age_days", "{\"value\":90}"), 200);
            seen("putSetting", operator.put("/v1/operator/settings/retention_max_age_days", "{\"value\":0}"), 400);
            seen("putSetting", operator.put("/v1/operator/settings/no_such", "{\"value\":1}"), 404);
            seen("listAdapters", operator.get("/v1/operator/adapters"), 200);
            seen("switchAdapter", operator.put("/v1/operator/adapters/homelab", "{\"enabled\":false}"), 200);
            seen("deliverWithToken", Deliveries.withTokenFor("homelab").sendTo(hub.uri()), 404);
            seen("switchAdapter", operator.put("/v1/operator/adapters/homelab", "{\"enabled\":null}"), 200);
            seen("switchAdapter", operator.put("/v1/operator/adapters/homelab", "{\"enabled\":1}"), 400);
            seen("switchAdapter", operator.put("/v1/operator/adapters/nothing", "{\"enabled\":true}"), 404);

            seen("live", Answer.toGet(hub.uri().resolve("/health/live")), 200);
            Answer ready = seen("ready", Answer.toGet(hub.uri().resolve("/health/ready")), 200);
            assertThat(ready.body().has("parts")).isFalse();
            assertThat(seen("ready", operator.get("/health/ready"), 200)
                            .body()
                            .at("/parts/adapters/status")
                            .asText())
                    .isEqualTo("degraded");
            seen("openapi", Answer.toGet(hub.uri().resolve("/openapi.yaml")), 200);
            // what no operation describes is a problem all the same
            assertProblem(operator.get("/v1/nothing"), "not_found");
            assertProblem(operator.put("/v1/claim", "{}"), "method_not_allowed");
        }

        void ofAccounts() {
            Bearer operating = Bearer.operatorOf(hub.uri());
            Answer made = seen("createAccount", operator.post("/v1/operator/accounts", "{\"name\":\"ada\"}"), 201);
            seen("createAccount", operator.post("/v1/operator/accounts", "{\"name\":\"ada\"}"), 409);
            seen("createAccount", operator.post("/v1/operator/accounts", "{\"name\":\"a b\"}"), 400);
            Bearer ada = Bearer.of(hub.uri(), made.body().required("token").asText());
            Bearer bob = operating.account("bob");
            seen("listAccounts", operator.get("/v1/operator/accounts?limit=1"), 200);
            String account =
                    "/v1/operator/accounts/" + made.body().required("id").asText();
            seen("getAccount", operator.get(account), 200);
            seen("getAccount", operator.get("/v1/operator/accounts/no"), 404);
            seen("mintAccountToken", operator.post(account + "/tokens", "{\"name\":\"second\"}"), 201);
            seen("mintAccountToken", operator.post(account + "/tokens", "{\"name\":\"second\"}"), 409);
            seen("listAccounts", ada.get("/v1/operator/accounts"), 404);

            seen("me", ada.get("/v1/me"), 200);
            seen("mintToken", ada.post("/v1/account/tokens", "{\"name\":\"laptop\",\"expires_in_seconds\":60}"), 201);
            seen("listTokens", ada.get("/v1/account/tokens"), 200);
            seen("revokeToken", ada.delete("/v1/account/tokens/laptop"), 200);
            seen("revokeToken", ada.delete("/v1/account/tokens/laptop"), 404);

            Answer agent = seen("registerAgent", ada.post("/v1/account/agents", "{\"name\":\"scout\"}"), 201);
            seen("registerAgent", ada.post("/v1/account/agents", "{\"name\":\"scout\"}"), 409);
            seen("listAgents", ada.get("/v1/account/agents"), 200);
            String scout = "/v1/account/agents/" + agent.body().required("id").asText();
            seen("getAgent", ada.get(scout), 200);
            seen("getAgent", bob.get(scout), 404);
            String scope = "{\"queues\":[\"reviews\"],\"verbs\":[\"work\"],\"rate_limit\":2}";
            Answer vended = seen("vendEndpoint", ada.post(scout + "/endpoints", scope), 201);
            Bearer worker =
                    Bearer.of(hub.uri(), vended.body().required("credential").asText());
            seen("me", worker.get("/v1/me"), 200);
            seen("claim", worker.post("/v1/claim", "{\"queues\":[\"other\"]}"), 403);
            seen("claim", worker.post("/v1/claim", "{}"), 429);
            seen("listEndpoints", ada.get("/v1/account/endpoints"), 200);
            String endpoint =
                    "/v1/account/endpoints/" + vended.body().required("id").asText();
            seen("getEndpoint", ada.get(endpoint), 200);
            seen("rotateEndpoint", ada.post(endpoint + "/rotate", "{\"grace_seconds\":60}"), 200);
            seen("revokeEndpoint", ada.post(endpoint + "/revoke", "{\"todos\":\"fail\"}"), 200);
            seen("deleteEndpoint", ada.delete(endpoint), 200);
            seen("rotateEndpoint", ada.post(endpoint + "/rotate", ""), 404);
            seen("removeAgent", ada.delete(scout), 200);

            String asked = "{\"to\":\"ada\",\"queues\":[\"reviews\",\"pushes\"],\"verbs\":[\"create\",\"read\"]}";
            Answer edge = seen("askFriend", bob.post("/v1/account/friends", asked), 201);
            String friend = "/v1/account/friends/" + edge.body().required("id").asText();
            seen("listFriends", ada.get("/v1/account/friends"), 200);
            seen("getFriend", ada.get(friend), 200);
            seen("approveFriend", ada.post(friend + "/approve", "{\"queues\":[\"other\"]}"), 400);
            seen("approveFriend", bob.post(friend + "/approve", ""), 404);
            seen("approveFriend", ada.post(friend + "/approve", "{\"queues\":[\"reviews\"]}"), 200);
            seen("approveFriend", ada.post(friend + "/approve", ""), 409);
            seen("denyFriend", ada.post(friend + "/deny", ""), 409);
            seen("rotateFriend", bob.post(friend + "/rotate", ""), 200);
            seen("revokeFriend", bob.post(friend + "/revoke", ""), 200);
            String denied = "/v1/account/friends/"
                    + bob.made("/v1/account/friends", asked).required("id").asText();
            seen("denyFriend", ada.post(denied + "/deny", ""), 200);

            seen("putQueueSettings", ada.put("/v1/account/queues/reviews", "{\"backoff\":{\"factor\":1.5}}"), 200);
            seen("putQueueSettings", ada.put("/v1/account/queues/_mine", "{}"), 400);
            seen("getQueueSettings", ada.get("/v1/account/queues/reviews"), 200);
            seen("getQueueSettings", ada.get("/v1/account/queues/none"), 404);
            seen("listQueueSettings", ada.get("/v1/account/queues"), 200);
            ada.todo("reviews");
            seen("listQueues", ada.get("/v1/queues"), 200);
            seen("listAudit", ada.get("/v1/account/audit?limit=3"), 200);
            seen("listAllAudit", operator.get("/v1/operator/audit"), 200);
            Answer hook = seen("createWebhook", ada.post("/v1/webhooks", "{\"name\":\"h\",\"queue\":\"hooked\"}"), 201);
            seen("createWebhook", ada.post("/v1/webhooks", "{\"name\":\"h\",\"queue\":\"hooked\"}"), 409);
            seen("listWebhooks", ada.get("/v1/webhooks"), 200);
            String hooked = "/v1/webhooks/" + hook.body().required("id").asText();
            seen("getWebhook", ada.get(hooked), 200);
            Answer turned = seen("rotateWebhook", ada.post(hooked + "/rotate", ""), 200);
            Bearer sender = ada.as(turned.body().required("token").asText());
            String door = hook.body().required("path").asText();
            seen("deliverStored", sender.post(door, "{\"n\":1}"), 202);
            Deliveries twice = Deliveries.withTokenFor("homelab")
                    .withId("hook-1")
                    .to(door)
                    .header("X-Switchboard-Token", sender.credential());
            seen("deliverStored", twice.sendTo(hub.uri()), 202);
            seen("deliverStored", twice.sendTo(hub.uri()), 200);
            seen("deliverStored", ada.post(door, "{}"), 403);
            seen("deleteWebhook", ada.delete(hooked), 200);
            seen("deliverStored", sender.post(door, "{}"), 404);
            seen("setWebhookCeiling", operating.put(account + "/webhooks", "{\"most\":1}"), 200);
            seen("closeAccount", operating.delete(account), 200);
            seen("closeAccount", operating.delete("/v1/operator/accounts/1"), 404);
            seen("me", ada.get("/v1/me"), 401);
        }

        private Answer seen(String id, Answer answer, int status) {
            assertThat(answer.status()).as("%s: %s", id, answer).isEqualTo(status);
            API.holds(API.operation(id), answer);
            seen.add(id + " " + status);
            return answer;
        }

        private static Answer stranger(String path) {
            return Answer.toGet(hub.uri().resolve(path));
        }

        private static void assertProblem(Answer answer, String code) {
            assertThat(API.faults(API.schema("Problem"), answer.body())).isEmpty();
            assertThat(answer.code()).isEqualTo(code);
        }
    }

    /** What an answer says about a field, from its beginning. */
    private record Fault(String field, String beginning) {}

    private static void assertFaults(Answer answer, List<Fault> expected) {
        List<JsonNode> errors = new ArrayList<>();
        answer.body().path("errors").forEach(errors::add);
        assertThat(errors)
                .as(answer.toString())
                .extracting(error -> error.path("field").asText())
                .containsExactlyInAnyOrderElementsOf(
                        expected.stream().map(Fault::field).toList());
        for (Fault fault : expected) {
            assertThat(errors)
                    .filteredOn(error -> error.path("field").asText().equals(fault.field))
                    .allSatisfy(
                            error -> assertThat(error.path("message").asText()).startsWith(fault.beginning));
        }
    }

    /** The rule of a schema in the hub's words; empty when anything will do. */
    private static Optional<String> rule(JsonNode schema) {
        if (schema.has("enum")) {
            return Optional.of("one of " + String.join(", ", words(schema)));
        }
        return Optional.ofNullable(
                switch (schema.path("type").asText()) {
                    case "integer" ->
                        "a whole number from " + schema.required("minimum") + " to " + schema.required("maximum");
                    case "boolean" -> "true or false";
                    case "array" -> list(schema);
                    case "object" -> "an object";
                    case "string" ->
                        schema.has("pattern")
                                ? "1 to 128 characters of "
                                : schema.path("format").asText().equals("date-time")
                                        ? "a time as in"
                                        : schema.has("maxLength") ? "text of " + bytes(schema) : "text of 1 to ";
                    default -> null;
                });
    }

    private static String list(JsonNode schema) {
        JsonNode items = API.resolved(schema.required("items"));
        String some = "a list of " + schema.path("minItems") + " to " + schema.required("maxItems");
        if (items.has("enum")) {
            return some + " of " + String.join(", ", words(items));
        }
        if (items.has("pattern")) {
            return some + " names, each ";
        }
        return items.path("type").asText().equals("string")
                ? "a list of at most " + schema.required("maxItems") + " texts of " + bytes(items) + " each"
                : "a list of " + schema.required("minItems") + " to " + schema.required("maxItems") + " objects";
    }

    private static String bytes(JsonNode schema) {
        return schema.required("minLength") + " to " + schema.required("maxLength") + " bytes";
    }

    private static Stream<String> everyKnownField() {
        return requests()
                .flatMap(operation -> API.resolved(operation.request()).path("properties").properties().stream())
                .map(property -> property.getKey())
                .distinct();
    }

    private static Answer ask(Operation operation, JsonNode body) {
        String path = operation.path().replace("{id}", SOME_TODO).replace("{name}", "some-queue");
        return Bearer.operatorOf(hub.uri()).call(operation.method(), path, body.toString());
    }

    private static List<String> words(JsonNode schema) {
        List<String> words = new ArrayList<>();
        schema.required("enum").forEach(word -> words.add(word.asText()));
        return words;
    }
}
