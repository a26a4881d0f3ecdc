package access;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import fixtures.Answer;
import fixtures.ApiDocument;
import fixtures.ApiDocument.Operation;
import fixtures.Bearer;
import fixtures.Deliveries;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import hub.Hub;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ada walks through every operation of {@code openapi.yaml} and looks for Bob. What is his answers her exactly like what
 * does not exist, whatever she bears, and nothing of his changes. An operation without an entry here fails.
 */
class TenantIsolationTest {
    private static final ApiDocument API = ApiDocument.load();
    private static final String SCOPE = "{\"queues\": [\"mine\"], \"verbs\": [%s]}";

    /** Who may call an operation. */
    private enum Guard {
        /** Everybody with a live credential. */
        ANYBODY,
        /** An account, and an endpoint with the right. */
        RIGHT,
        /** An account itself; to endpoints it does not exist. */
        ACCOUNT,
        /** An operator; to others it does not exist. */
        OPERATOR
    }

    /**
     * @param right the verb that it takes; empty where none opens it
     * @param body of a request that would be right
     */
    private record Entry(Guard guard, String right, String body) {
        static Entry of(Guard guard) {
            return new Entry(guard, "", "");
        }

        static Entry of(Guard guard, String body) {
            return new Entry(guard, "", body);
        }

        static Entry right(String right, String body) {
            return new Entry(Guard.RIGHT, right, body);
        }
    }

    private static final String VENDED = "{\"queues\": [\"secret-queue\"], \"verbs\": [\"work\"]}";

    private static final Map<String, Entry> ENTRIES = Map.ofEntries(
            entry("claim", Entry.right("claim", "{\"queues\": [\"secret-queue\"]}")),
            entry("completeMany", Entry.right("complete", "{\"todos\": [{\"id\": \"{id}\", \"attempt\": 1}]}")),
            entry("createTodo", Entry.right("create", "{\"queue\": \"secret-queue\", \"title\": \"t\"}")),
            entry("listTodos", Entry.right("read", "")),
            entry("getTodo", Entry.right("read", "")),
            entry("claimOne", Entry.right("claim", "{}")),
            entry("heartbeat", Entry.right("heartbeat", "{\"attempt\": 1}")),
            entry("complete", Entry.right("complete", "{\"attempt\": 1}")),
            entry("fail", Entry.right("fail", "{\"attempt\": 1, \"error\": \"e\"}")),
            entry("release", Entry.right("release", "{\"attempt\": 1}")),
            entry("retry", Entry.right("retry", "")),
            entry("listEvents", Entry.right("events", "")),
            entry("getEvent", Entry.right("events", "")),
            entry("getEventPayload", Entry.right("events", "")),
            entry("me", Entry.of(Guard.ANYBODY)),
            entry("listQueues", Entry.right("read", "")),
            entry("createWebhook", Entry.right("webhooks", "{\"name\": \"secret-queue\", \"queue\": \"hooks\"}")),
            entry("listWebhooks", Entry.right("webhooks", "")),
            entry("getWebhook", Entry.right("webhooks", "")),
            entry("deleteWebhook", Entry.right("webhooks", "")),
            entry("rotateWebhook", Entry.right("webhooks", "{}")),
            entry("mintToken", Entry.of(Guard.ACCOUNT, "{\"name\": \"secret-queue\"}")),
            entry("listTokens", Entry.of(Guard.ACCOUNT)),
            entry("revokeToken", Entry.of(Guard.ACCOUNT)),
            entry("registerAgent", Entry.of(Guard.ACCOUNT, "{\"name\": \"secret-queue\"}")),
            entry("listAgents", Entry.of(Guard.ACCOUNT)),
            entry("getAgent", Entry.of(Guard.ACCOUNT)),
            entry("removeAgent", Entry.of(Guard.ACCOUNT)),
            entry("vendEndpoint", Entry.of(Guard.ACCOUNT, VENDED)),
            entry("listEndpoints", Entry.of(Guard.ACCOUNT)),
            entry("getEndpoint", Entry.of(Guard.ACCOUNT)),
            entry("deleteEndpoint", Entry.of(Guard.ACCOUNT)),
            entry("revokeEndpoint", Entry.of(Guard.ACCOUNT, "{\"todos\": \"fail\"}")),
            entry("rotateEndpoint", Entry.of(Guard.ACCOUNT, "{}")),
            entry(
                    "askFriend",
                    Entry.of(
                            Guard.ACCOUNT, "{\"to\": \"bob\", \"queues\": [\"secret-queue\"], \"verbs\": [\"read\"]}")),
            entry("listFriends", Entry.of(Guard.ACCOUNT)),
            entry("getFriend", Entry.of(Guard.ACCOUNT)),
            entry("approveFriend", Entry.of(Guard.ACCOUNT, "{}")),
            entry("denyFriend", Entry.of(Guard.ACCOUNT, "{}")),
            entry("revokeFriend", Entry.of(Guard.ACCOUNT, "{}")),
            entry("rotateFriend", Entry.of(Guard.ACCOUNT, "{}")),
            entry("listQueueSettings", Entry.of(Guard.ACCOUNT)),
            entry("getQueueSettings", Entry.of(Guard.ACCOUNT)),
            entry("putQueueSettings", Entry.of(Guard.ACCOUNT, "{\"paused\": false}")),
            entry("listAudit", Entry.of(Guard.ACCOUNT)),
            entry("createAccount", Entry.of(Guard.OPERATOR, "{\"name\": \"mallory\"}")),
            entry("listAccounts", Entry.of(Guard.OPERATOR)),
            entry("getAccount", Entry.of(Guard.OPERATOR)),
            entry("closeAccount", Entry.of(Guard.OPERATOR)),
            entry("mintAccountToken", Entry.of(Guard.OPERATOR, "{\"name\": \"second\"}")),
            entry("setWebhookCeiling", Entry.of(Guard.OPERATOR, "{\"most\": 1}")),
            entry("listAllAudit", Entry.of(Guard.OPERATOR)),
            entry("listSettings", Entry.of(Guard.OPERATOR)),
            entry("putSetting", Entry.of(Guard.OPERATOR, "{\"value\": 10}")),
            entry("listAdapters", Entry.of(Guard.OPERATOR)),
            entry("switchAdapter", Entry.of(Guard.OPERATOR, "{\"enabled\": false}")));

    /** What asks for no credential of the hub, and why. */
    private static final Map<String, String> OPEN = Map.of(
            "askBeforeDelivering", "providers ask before they sign anything",
            "deliverSigned", "senders sign",
            "deliverStored", "senders bring the token or sign",
            "deliverWithToken", "senders bring the adapter's token",
            "live", "for load balancers",
            "ready", "for load balancers; parts are the operator's alone",
            "openapi", "the contract is no secret");

    /** What each kind of path part names: something that is not Ada's, and something that is nobody's. */
    private record Target(String foreign, String unknown) {}

    @TempDir
    static Path folder;

    private static DurableDatabase database;
    private static Hub hub;
    private static Bearer operator;
    private static Bearer ada;
    private static Bearer bob;
    private static final Map<String, Target> TARGETS = new TreeMap<>();
    private static Bearer revoked;
    private static Bearer expired;
    private static Bearer toothless;
    private static String bobsEndpoint;
    private static String bobsBefore;
    private static Bearer narrow;

    @BeforeAll
    static void bobHasOneOfEverything() {
        database = DurableDatabase.create().migrated();
        database.execute("INSERT INTO accounts (name, role) VALUES ('ada', 'member'), ('bob', 'member')");
        hub = Hub.start(
                HubHome.in(folder).database(database.url()).adapters("""
                        adapters:
                          - name: ada-github
                            type: github
                            account: ada
                            secret: "{{env:GITHUB_WEBHOOK_SECRET}}"
                          - name: bob-github
                            type: github
                            account: bob
                            secret: "{{env:GITHUB_WEBHOOK_SECRET}}"
                          - name: homelab
                            type: generic
                            token: "{{env:HOMELAB_TOKEN}}"
                        """).config());
        operator = Bearer.operatorOf(hub.uri());
        ada = firstTokenOf("ada");
        bob = firstTokenOf("bob");

        String scout = ada.agent("scout");
        Bearer.Vended toRevoke = ada.vends(scout, SCOPE.formatted("\"work\""));
        revoked = toRevoke.bearer();
        ada.post("/v1/account/endpoints/" + toRevoke.id() + "/revoke", "");
        Bearer.Vended toExpire = ada.vends(scout, SCOPE.formatted("\"work\""));
        expired = toExpire.bearer();
        database.execute(
                "UPDATE endpoints SET expires_at = now() - interval '1 hour' WHERE id = ?::uuid", toExpire.id());
        toothless = ada.vends(scout, SCOPE.formatted("\"wakeups\"")).bearer();

        String agent = bob.agent("secret-queue");
        Bearer.Vended worker = bob.vends(agent, VENDED);
        bobsEndpoint = worker.id();
        String claimed = bob.todo("secret-queue");
        worker.bearer().post("/v1/claim", "{\"lease_seconds\": 86400}");
        bob.made("/v1/account/tokens", "{\"name\": \"bobs-token\"}");
        bob.made("/v1/account/tokens", "{\"name\": \"secret-queue\"}");
        String edge = operator.account("carol")
                .made(
                        "/v1/account/friends",
                        "{\"to\": \"bob\", \"queues\": [\"secret-queue\"], \"verbs\": [\"create\"]}")
                .path("id")
                .asText();
        long event = Deliveries.signedBy("bob-github")
                .withId("bobs")
                .sendTo(hub.uri())
                .eventId();

        String nobody = "0199c0de-4a5b-7c6d-8e9f-0a1b2c3d4e5f";
        TARGETS.put("/v1/todos/{id}", new Target(claimed, nobody));
        String webhook = bob.made("/v1/webhooks", "{\"name\": \"secret-queue\", \"queue\": \"secret-queue\"}")
                .path("id")
                .asText();
        TARGETS.put("/v1/webhooks/{id}", new Target(webhook, "0".repeat(43)));
        TARGETS.put("/v1/events/{id}", new Target(Long.toString(event), "987654321"));
        TARGETS.put("/v1/account/agents/{id}", new Target(agent, nobody));
        TARGETS.put("/v1/account/endpoints/{id}", new Target(worker.id(), nobody));
        TARGETS.put("/v1/account/friends/{id}", new Target(edge, nobody));
        TARGETS.put("/v1/account/queues/{name}", new Target("secret-queue", "no-such-queue"));
        TARGETS.put("/v1/account/tokens/{name}", new Target("bobs-token", "no-such-token"));
        TARGETS.put("/v1/operator/accounts/{id}", new Target("2", "987654321"));
        TARGETS.put("/v1/operator/adapters/{name}", new Target("bob-github", "no-such-adapter"));
        TARGETS.put("/v1/operator/settings/{key}", new Target("sse_retry_ms", "no_such_setting"));

        // everything that an endpoint may do, on another queue of Bob's
        narrow = bob.vends(
                        bob.agent("narrow"),
                        "{\"queues\": [\"other\"], \"verbs\": [\"work\", \"create\", \"retry\", \"events\", \"webhooks\"]}")
                .bearer();
        bobsBefore = bobs();
    }

    private static Bearer firstTokenOf(String account) {
        Object id = database.value("SELECT id FROM accounts WHERE name = ?", account);
        return operator.as(operator.made("/v1/operator/accounts/" + id + "/tokens", "{\"name\": \"first\"}")
                .path("token")
                .asText());
    }

    @AfterAll
    static void stop() {
        hub.close();
        database.close();
    }

    static Stream<Operation> operations() {
        return API.operations().stream().filter(operation -> !OPEN.containsKey(operation.id()));
    }

    @Test
    void everyOperationHasAnEntryAndEveryEntryAnOperation() {
        Set<String> known = new TreeSet<>(ENTRIES.keySet());
        known.addAll(OPEN.keySet());

        assertThat(API.operations()).extracting(Operation::id).containsExactlyInAnyOrderElementsOf(known);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void nobodyIsLetInWithoutALiveCredential(Operation operation) {
        Answer without = Answer.to(request(operation, foreign(operation)));
        Answer guessed = call(ada.as("swb_" + "0".repeat(43)), operation, foreign(operation));
        Answer byRevoked = call(revoked, operation, foreign(operation));
        Answer byExpired = call(expired, operation, foreign(operation));

        assertThat(without.status()).isEqualTo(401);
        assertThat(without.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        for (Answer answer : List.of(guessed, byRevoked, byExpired)) {
            assertThat(seen(answer)).isEqualTo(seen(without));
        }
        assertThat(bobs()).isEqualTo(bobsBefore);
        API.holds(operation, without);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void endpointWithoutTheVerbIsRefusedAndOthersRoutesDoNotExistForIt(Operation operation) {
        Guard guard = ENTRIES.get(operation.id()).guard;

        Answer own = call(toothless, operation, unknown(operation));

        API.holds(operation, own);
        if (guard == Guard.ANYBODY) {
            assertThat(own.status()).isEqualTo(200);
        } else if (guard == Guard.RIGHT) {
            assertThat(own.status()).isEqualTo(403);
            assertThat(own.code()).isEqualTo("forbidden_verb");
        } else {
            assertThat(own.status()).isEqualTo(404);
        }
        assertThat(masked(call(toothless, operation, foreign(operation)), foreign(operation)))
                .isEqualTo(masked(own, unknown(operation)));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void whatIsBobsAnswersAdaLikeWhatDoesNotExist(Operation operation) {
        Answer unknown = call(ada, operation, unknown(operation));
        Answer foreign = call(ada, operation, foreign(operation));

        API.holds(operation, foreign);
        assertThat(foreign.status()).isEqualTo(unknown.status());
        if (foreign.status() >= 300) {
            assertThat(masked(foreign, foreign(operation))).isEqualTo(masked(unknown, unknown(operation)));
        }
        if (operation.path().contains("{") && !operation.id().equals("putQueueSettings")) {
            assertThat(foreign.status()).isEqualTo(404);
        }
        assertThat(masked(foreign, foreign(operation)).toString())
                .doesNotContain("bobs-token", "bob-github", bobsEndpoint);
        assertThat(bobs()).isEqualTo(bobsBefore);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void endpointOfBobsForOneQueueSeesNothingOfHisOthers(Operation operation) {
        Entry entry = ENTRIES.get(operation.id());
        if (entry.guard != Guard.RIGHT) {
            return;
        }

        Answer unknown = call(narrow, operation, unknown(operation));
        Answer other = call(narrow, operation, foreign(operation));

        assertThat(masked(other, foreign(operation))).isEqualTo(masked(unknown, unknown(operation)));
        assertThat(other.text()).doesNotContain("\"queue\":\"secret-queue\"");
        if (Set.of("claim", "createTodo", "createWebhook").contains(operation.id())) {
            assertThat(other.code()).isEqualTo("forbidden_queue");
        }
        assertThat(bobs()).isEqualTo(bobsBefore);
    }

    // --- what tenants share without knowing

    @Test
    void theSameDeliveryToTwoTenantsIsAnEventOfEach() {
        Answer bobs = Deliveries.signedBy("bob-github").withId("shared").sendTo(hub.uri());
        Answer adas = Deliveries.signedBy("ada-github").withId("shared").sendTo(hub.uri());

        assertThat(List.of(bobs.status(), adas.status())).containsOnly(202);
        assertThat(adas.eventId()).isNotEqualTo(bobs.eventId());
        assertThat(ada.get("/v1/events/" + bobs.eventId()).status()).isEqualTo(404);
        assertThat(ada.get("/v1/events/" + adas.eventId()).status()).isEqualTo(200);
        bobsBefore = bobs();
    }

    @Test
    void theSameKeyOnTheSameQueueIsATodoOfEach() {
        String asked = "{\"queue\": \"shared\", \"title\": \"t\", \"idempotency_key\": \"k\"}";

        Answer bobs = bob.post("/v1/todos", asked);
        Answer adas = ada.post("/v1/todos", asked);

        assertThat(List.of(bobs.status(), adas.status())).containsOnly(201);
        assertThat(ada.post("/v1/claim", "{\"queues\": [\"shared\"], \"limit\": 10}")
                        .body()
                        .path("todos")
                        .findValuesAsText("id"))
                .containsExactly(adas.body().path("id").asText());
        bobsBefore = bobs();
    }

    @Test
    void eventBehindATodoShowsAnEndpointNoTodoOfAnotherQueue() {
        long event = Deliveries.signedBy("bob-github")
                .withId("narrow")
                .sendTo(hub.uri())
                .eventId();
        String agent = bob.agent("reader");
        Bearer sees = bob.vends(agent, "{\"queues\": [\"bob-github\"], \"verbs\": [\"events\"]}")
                .bearer();
        database.execute(
                "INSERT INTO todos (id, account_id, queue, source, event_id)"
                        + " SELECT gen_random_uuid(), account_id, 'hidden', source, id FROM events WHERE id = ?",
                event);

        Answer shown = sees.get("/v1/events/" + event);

        assertThat(shown.body().path("todos").findValuesAsText("queue")).containsExactly("bob-github");
        assertThat(narrow.get("/v1/events/" + event).status()).isEqualTo(404);
        assertThat(narrow.get("/v1/events/" + event + "/payload").status()).isEqualTo(404);
        bobsBefore = bobs();
    }

    // --- the walk

    private static Target target(Operation operation) {
        return TARGETS.entrySet().stream()
                .filter(target -> operation.path().startsWith(target.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseGet(() -> {
                    assertThat(operation.path()).as("a target for its path").doesNotContain("{");
                    return TARGETS.get("/v1/todos/{id}");
                });
    }

    private static String foreign(Operation operation) {
        return target(operation).foreign;
    }

    private static String unknown(Operation operation) {
        return target(operation).unknown;
    }

    private static Answer call(Bearer bearer, Operation operation, String named) {
        return bearer.call(operation.method(), path(operation, named), body(operation, named));
    }

    private static HttpRequest.Builder request(Operation operation, String named) {
        return HttpRequest.newBuilder(hub.uri().resolve(path(operation, named)))
                .method(operation.method(), HttpRequest.BodyPublishers.ofString(body(operation, named)));
    }

    private static String path(Operation operation, String named) {
        return operation.path().replaceAll("\\{\\w+}", named);
    }

    /** What is asked for by name is told from what nobody has by the same letters as what is asked for by id. */
    private static String body(Operation operation, String named) {
        String body = ENTRIES.get(operation.id()).body.replace("{id}", named);
        return named.equals(unknown(operation)) ? body.replace("secret-queue", "no-such-queue") : body;
    }

    /** Everything of an answer but its time and length, with what was named made the same. */
    private static List<String> masked(Answer answer, String named) {
        return seen(answer).stream()
                .map(line -> line.replace("/" + named, "/«named»")
                        .replace("\"" + named, "\"«named»")
                        .replace(" " + named, " «named»")
                        .replace("secret-queue", "«queue»")
                        .replace("no-such-queue", "«queue»"))
                .toList();
    }

    private static List<String> seen(Answer answer) {
        List<String> seen = new ArrayList<>(List.of(Integer.toString(answer.status()), answer.text()));
        answer.headers().map().forEach((name, values) -> {
            if (!Set.of("date", "content-length").contains(name)) {
                seen.add(name + values);
            }
        });
        return seen;
    }

    /** All that is Bob's and could change; what a look leaves behind (last_used_at) and what Ada asks him for are none of it. */
    private static String bobs() {
        return database.query("""
                        WITH bob AS (SELECT id FROM accounts WHERE name = 'bob'), ada AS (SELECT id FROM accounts WHERE name = 'ada')
                        SELECT md5(string_agg(his::text, ',' ORDER BY his::text)) AS rows, count(*) AS n
                        FROM (
                          SELECT to_jsonb(t) FROM todos t JOIN bob ON t.account_id = bob.id
                          UNION ALL SELECT to_jsonb(q) FROM queues q JOIN bob ON q.account_id = bob.id
                          UNION ALL SELECT to_jsonb(a) FROM agents a JOIN bob ON a.account_id = bob.id
                          UNION ALL SELECT to_jsonb(e) FROM endpoints e JOIN bob ON e.account_id = bob.id
                          UNION ALL SELECT to_jsonb(v) FROM events v JOIN bob ON v.account_id = bob.id
                          UNION ALL SELECT to_jsonb(l) FROM audit_log l JOIN bob ON l.account_id = bob.id
                          UNION ALL SELECT to_jsonb(c) - 'last_used_at' FROM credentials c JOIN bob ON c.account_id = bob.id
                          UNION ALL SELECT to_jsonb(w) FROM webhooks w JOIN bob ON w.account_id = bob.id
                          UNION ALL SELECT to_jsonb(f) FROM friend_edges f JOIN bob ON f.owner_id = bob.id JOIN ada ON f.account_id <> ada.id
                        ) AS all_of_it(his)
                        """).toString();
    }
}
