package access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import fixtures.Answer;
import fixtures.Bearer;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import hub.Hub;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people do about their own affairs: tokens, queues, friends, and what the audit log says of it. */
class AccountsTest {
    private static final String PRINTABLE = "abcXYZ0189 !\"#$%&'()*+,-./:;<=>?@[]^_`{|}~";
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @TempDir
    static Path folder;

    private static DurableDatabase database;
    private static Hub hub;
    private static Bearer operator;

    @BeforeAll
    static void aHub() {
        database = DurableDatabase.create();
        hub = Hub.start(HubHome.in(folder).database(database.url()).config());
        operator = Bearer.operatorOf(hub.uri());
    }

    @AfterAll
    static void stop() {
        hub.close();
        database.close();
    }

    private static String name(String word) {
        return word + "-" + NUMBER.incrementAndGet();
    }

    // --- accounts and tokens

    @Test
    void accountIsMadeWithATokenThatOpensItAndNothingOfTheOperators() {
        String name = name("ada");

        JsonNode made = operator.made("/v1/operator/accounts", "{\"name\": \"" + name + "\", \"role\": \"member\"}");

        Bearer ada = operator.as(made.path("token").asText());
        assertThat(ada.get("/v1/me").body().path("account").asText()).isEqualTo(name);
        assertThat(ada.get("/v1/operator/accounts").status()).isEqualTo(404);
        assertThat(ada.get("/v1/operator/settings").status()).isEqualTo(404);
        assertThat(operator.get("/v1/operator/accounts").text())
                .doesNotContain(made.path("token").asText());
    }

    @Test
    void accountWithTheOperatorsRoleMayDoWhatTheOperatorDoes() {
        JsonNode made =
                operator.made("/v1/operator/accounts", "{\"name\": \"" + name("root") + "\", \"role\": \"operator\"}");

        Bearer second = operator.as(made.path("token").asText());

        assertThat(second.get("/v1/operator/accounts").status()).isEqualTo(200);
        assertThat(second.get("/v1/me").body().path("role").asText()).isEqualTo("operator");
    }

    @Test
    void pagesShowEveryAccountOnceNewestFirst() {
        List<String> made = IntStream.range(0, 5)
                .mapToObj(i -> operator.made("/v1/operator/accounts", "{\"name\": \"" + name("page") + "\"}")
                        .path("id")
                        .asText())
                .toList();

        List<String> listed = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page =
                    operator.get("/v1/operator/accounts?limit=2" + cursor).body();
            page.path("accounts")
                    .forEach(account -> listed.add(account.path("id").asText()));
            cursor = page.path("next_cursor").isNull()
                    ? null
                    : "&cursor=" + page.path("next_cursor").asText();
        } while (cursor != null);

        assertThat(new HashSet<>(listed)).hasSameSizeAs(listed);
        assertThat(listed.subList(0, 5))
                .containsExactly(made.get(4), made.get(3), made.get(2), made.get(1), made.get(0));
    }

    @Test
    void closedAccountIsLockedOutWithAllThatItVendedAndWasVended() {
        JsonNode made = operator.made("/v1/operator/accounts", "{\"name\": \"" + name("ada") + "\"}");
        Bearer ada = operator.as(made.path("token").asText());
        Bearer bob = operator.account(name("bob"));
        Bearer.Vended vended = ada.vends(ada.agent("scout"), "{\"queues\": [\"q\"], \"verbs\": [\"work\"]}");
        Bearer asFriend = befriended(ada, bob, "\"create\"");

        Answer closed =
                operator.delete("/v1/operator/accounts/" + made.path("id").asText());

        assertThat(closed.body().path("closed_at").isNull()).isFalse();
        assertThat(List.of(
                        ada.get("/v1/me").status(),
                        vended.bearer().get("/v1/me").status(),
                        asFriend.get("/v1/me").status()))
                .containsOnly(401);
    }

    @Test
    void tokenOfAPersonIsRevokedWithoutTheOthers() {
        Bearer ada = operator.account(name("ada"));
        Bearer laptop = ada.as(ada.made("/v1/account/tokens", "{\"name\": \"laptop\"}")
                .path("token")
                .asText());
        int before = laptop.get("/v1/me").status();

        ada.delete("/v1/account/tokens/laptop");

        assertThat(before).isEqualTo(200);
        assertThat(laptop.get("/v1/me").status()).isEqualTo(401);
        assertThat(ada.get("/v1/account/tokens").body().path("tokens").findValuesAsText("name"))
                .containsExactly("first");
    }

    @Test
    void tokenThatExpiresMintsNoneThatOutlivesIt() {
        Bearer ada = operator.account(name("ada"));
        Bearer brief = ada.as(ada.made("/v1/account/tokens", "{\"name\": \"brief\", \"expires_in_seconds\": 600}")
                .path("token")
                .asText());

        brief.made("/v1/account/tokens", "{\"name\": \"heir\"}");

        JsonNode tokens = ada.get("/v1/account/tokens").body().path("tokens");
        assertThat(tokens.at("/2/name").asText()).isEqualTo("heir");
        assertThat(tokens.at("/2/expires_at")).isEqualTo(tokens.at("/0/expires_at"));
    }

    @Test
    void tokensOfPeopleSurviveThatTheHubSetsItsOperatorsCredential() {
        Bearer second = operator.as(operator.made("/v1/account/tokens", "{\"name\": \"" + name("second") + "\"}")
                .path("token")
                .asText());
        Path elsewhere = folder.resolve(name("hub"));

        Hub.start(HubHome.in(elsewhere).database(database.url()).config()).close();

        await().untilAsserted(() -> assertThat(second.get("/v1/me").status()).isEqualTo(200));
        assertThat(operator.get("/v1/me").status()).isEqualTo(200);
    }

    // --- queues

    @Test
    void pausedQueueTakesTodosAndGivesNoneUntilItGoesOn() throws Exception {
        Bearer ada = operator.account(name("ada"));
        ada.put("/v1/account/queues/reviews", "{\"paused\": true}");
        String id = ada.todo("reviews");
        int whilePaused = ada.post("/v1/claim", "{}").body().path("todos").size();
        CompletableFuture<Answer> waiting = ada.later("/v1/claim", "{\"queues\": [\"reviews\"], \"wait_seconds\": 30}");

        ada.put("/v1/account/queues/reviews", "{\"paused\": false}");

        assertThat(whilePaused).isZero();
        assertThat(waiting.get(25, TimeUnit.SECONDS).body().at("/todos/0/id").asText())
                .isEqualTo(id);
    }

    @Test
    void whatIsNotSaidAboutAQueueStaysAsItIs() {
        Bearer ada = operator.account(name("ada"));
        ada.put("/v1/account/queues/reviews", "{\"lease_seconds\": 17, \"max_attempts\": 2}");

        JsonNode after = ada.put("/v1/account/queues/reviews", "{\"backoff\": {\"base_seconds\": 1}}")
                .body();

        assertThat(after.path("lease_seconds").asInt()).isEqualTo(17);
        assertThat(after.path("max_attempts").asInt()).isEqualTo(2);
        assertThat(after.at("/backoff/base_seconds").asInt()).isEqualTo(1);
        assertThat(after.at("/backoff/factor").asDouble()).isEqualTo(2);
    }

    @Test
    void queuesTellTheirDepthAndTheAgeOfTheOldestTodo() {
        Bearer ada = operator.account(name("ada"));
        ada.todo("b");
        ada.todo("b");
        ada.put("/v1/account/queues/a", "{}");

        JsonNode queues = ada.get("/v1/queues").body().path("queues");

        assertThat(queues.findValuesAsText("name")).containsExactly("a", "b");
        assertThat(queues.at("/0/depth").asInt()).isZero();
        assertThat(queues.at("/0/oldest_ready_at").isNull()).isTrue();
        assertThat(queues.at("/1/depth").asInt()).isEqualTo(2);
        assertThat(queues.at("/1/oldest_ready_at").asText()).endsWith("Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"_internal", "two words", "ünicode", "-dash", "a/b"})
    void nameOutsideTheAlphabetIsRefusedWhereItIsGiven(String name) {
        Answer todo = operator.post("/v1/todos", "{\"queue\": \"" + name + "\", \"title\": \"t\"}");
        Answer account = operator.post("/v1/operator/accounts", "{\"name\": \"" + name + "\"}");

        assertThat(List.of(todo.code(), account.code())).containsOnly("invalid_request");
    }

    // --- friends

    /** What the granted one bears, on the queue that it asked for. */
    private static Bearer befriended(Bearer asking, Bearer granting, String verbs) {
        String to = granting.get("/v1/me").body().path("account").asText();
        String edge = asking.made(
                        "/v1/account/friends",
                        "{\"to\": \"" + to + "\", \"queues\": [\"reviews\", \"builds\"], \"verbs\": [" + verbs + "]}")
                .path("id")
                .asText();
        Answer approved = granting.post("/v1/account/friends/" + edge + "/approve", "{\"queues\": [\"reviews\"]}");
        assertThat(approved.status()).as(approved.toString()).isEqualTo(200);
        return asking.as(approved.body().path("credential").asText());
    }

    @Test
    void todoMadeThroughAnEdgeNamesItsMaker() {
        String name = name("ada");
        Bearer ada = operator.account(name);
        Bearer bob = operator.account(name("bob"));
        Bearer friend = befriended(ada, bob, "\"create\"");

        String id = friend.todo("reviews");

        assertThat(bob.get("/v1/todos/" + id).body().path("created_by").asText())
                .isEqualTo("friend:" + name);
        assertThat(ada.get("/v1/todos/" + id).status()).isEqualTo(404);
    }

    @Test
    void edgeOpensWhatWasApprovedAndInOneDirectionOnly() {
        Bearer ada = operator.account(name("ada"));
        Bearer bob = operator.account(name("bob"));
        ada.todo("reviews");
        bob.todo("builds");
        String review = bob.todo("reviews");
        Bearer friend = befriended(ada, bob, "\"work\"");

        Answer claimed = friend.post("/v1/claim", "{\"limit\": 10}");
        Answer builds = friend.post("/v1/claim", "{\"queues\": [\"builds\"]}");

        assertThat(claimed.body().path("todos").findValuesAsText("id")).containsExactly(review);
        assertThat(builds.code()).isEqualTo("forbidden_queue");
        assertThat(friend.get("/v1/account/friends").status()).isEqualTo(404);
        assertThat(bob.post("/v1/claim", "{\"limit\": 10}").body().path("todos").findValuesAsText("queue"))
                .containsExactly("builds");
    }

    @Test
    void whoWasGrantedGetsACredentialOfItsOwn() {
        Bearer ada = operator.account(name("ada"));
        Bearer bob = operator.account(name("bob"));
        Bearer shared = befriended(ada, bob, "\"read\"");
        String edge = ada.get("/v1/account/friends").body().at("/friends/0/id").asText();

        Answer rotated = ada.post("/v1/account/friends/" + edge + "/rotate", "{}");

        assertThat(ada.as(rotated.body().path("credential").asText())
                        .get("/v1/todos")
                        .status())
                .isEqualTo(200);
        assertThat(shared.get("/v1/me").status()).isEqualTo(401);
        assertThat(bob.post("/v1/account/friends/" + edge + "/rotate", "{}").status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eitherSideEndsAnEdge(boolean granting) {
        Bearer ada = operator.account(name("ada"));
        Bearer bob = operator.account(name("bob"));
        Bearer friend = befriended(ada, bob, "\"work\"");
        String edge = ada.get("/v1/account/friends").body().at("/friends/0/id").asText();
        String id = bob.todo("reviews");
        friend.post("/v1/claim", "{}");

        Answer ended = (granting ? bob : ada).post("/v1/account/friends/" + edge + "/revoke", "{}");

        assertThat(ended.body().path("state").asText()).isEqualTo("revoked");
        assertThat(friend.get("/v1/me").status()).isEqualTo(401);
        assertThat(bob.get("/v1/todos/" + id).body().path("state").asText()).isEqualTo("pending");
    }

    @Test
    void nobodyLearnsWhetherTheAccountThatTheyAskExists() {
        Bearer ada = operator.account(name("ada"));
        String existing = name("bob");
        operator.account(existing);
        String asked = "{\"to\": \"%s\", \"queues\": [\"reviews\"], \"verbs\": [\"create\"]}";

        Answer known = ada.post("/v1/account/friends", asked.formatted(existing));
        Answer unknown = ada.post("/v1/account/friends", asked.formatted("nobody-has-this-name"));

        assertThat(List.of(known.status(), unknown.status())).containsOnly(201);
        assertThat(known.body().path("state")).isEqualTo(unknown.body().path("state"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"events\"", "\"retry\"", "\"observe\""})
    void friendIsNotGivenWhatLooksBeyondTheTodos(String verb) {
        Bearer ada = operator.account(name("ada"));

        Answer refused = ada.post(
                "/v1/account/friends", "{\"to\": \"operator\", \"queues\": [\"q\"], \"verbs\": [" + verb + "]}");

        assertThat(refused.code()).isEqualTo("invalid_request");
    }

    // --- the audit log

    @Test
    void auditTellsWhoDidWhatFromWhere() {
        Bearer ada = operator.account(name("ada"));
        Bearer.Vended vended = ada.vends(ada.agent("scout"), "{\"queues\": [\"q\"], \"verbs\": [\"work\"]}");
        ada.post("/v1/account/endpoints/" + vended.id() + "/revoke", "");
        ada.put("/v1/account/queues/q", "{\"paused\": true}");

        JsonNode lines = ada.get("/v1/account/audit").body().path("audit");

        assertThat(lines.findValuesAsText("action"))
                .containsExactly("queue.put", "endpoint.revoke", "endpoint.vend", "agent.register");
        assertThat(lines.at("/1/subject").asText()).isEqualTo(vended.id());
        assertThat(lines.at("/1/source_ip").asText()).isEqualTo("127.0.0.1");
        assertThat(lines.at("/1/actor").asText()).startsWith("ada-").contains(" swb_");
        assertThat(lines.toString()).doesNotContain(vended.bearer().credential());
        assertThat(operator.get("/v1/operator/audit").body().path("audit").findValuesAsText("subject"))
                .contains(vended.id());
    }

    @Test
    void auditIsOnlyAddedTo() {
        operator.account(name("ada"));

        assertThatThrownBy(() -> database.execute("UPDATE audit_log SET actor = 'somebody else'"))
                .hasMessageContaining("only added to");
    }

    // --- strangers

    @Test
    void nonsenseIsRefusedInWordsAndNeverFailsTheHub() {
        Random random = new Random(66);
        Set<Integer> statuses = new HashSet<>();
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        String known = operator.todo("fuzz");
        List<String> paths = List.of(
                "/v1/claim",
                "/v1/complete",
                "/v1/todos",
                "/v1/todos/%s/complete",
                "/v1/todos/%s/claim",
                "/v1/account/agents",
                "/v1/account/agents/%s/endpoints",
                "/v1/account/endpoints/%s/revoke",
                "/v1/account/friends",
                "/v1/operator/accounts");

        for (int i = 0; i < 10_000; i++) {
            String path = paths.get(random.nextInt(paths.size()))
                    .replace("%s", random.nextInt(3) == 0 ? known : nonsense(random, "0123456789abcdef-._~"));
            Bearer bearer = i % 3 == 0 ? operator.as(nonsense(random, PRINTABLE)) : operator;
            sent.add(bearer.later(path, i % 3 == 1 ? nonsense(random, PRINTABLE) : brokenJson(random)));
            if (sent.size() == 64) {
                sent.forEach(answer -> statuses.add(refusal(answer)));
                sent.clear();
            }
        }
        sent.forEach(answer -> statuses.add(refusal(answer)));

        assertThat(statuses).contains(400, 401, 404).allMatch(status -> status >= 400 && status < 500);
    }

    private static int refusal(CompletableFuture<Answer> sent) {
        Answer answer = sent.join();
        assertThat(answer.code()).as(answer.toString()).matches("[a-z_]+").isNotEqualTo("internal");
        assertThat(answer.text()).doesNotContain("Exception", "\tat ");
        return answer.status();
    }

    private static String nonsense(Random random, String alphabet) {
        StringBuilder text = new StringBuilder("x");
        for (int n = random.nextInt(60); n > 0; n--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString().strip();
    }

    /** Right JSON that asks for what cannot be, or JSON cut short. */
    private static String brokenJson(Random random) {
        List<String> shapes = List.of(
                "{\"queue\": %d, \"title\": []}",
                "{\"todos\": [{\"id\": \"%d\", \"attempt\": -1}]}",
                "{\"queues\": [\"_%d\"], \"verbs\": [\"work\"], \"limit\": 0, \"name\": \"\\u0000\"}",
                "{\"attempt\": %d.5, \"name\": {\"a\": 1}}",
                "[%d]",
                "\"%d\"",
                "{\"a\": %d, \"a\": 1}",
                "{\"attempt\": %d");
        return shapes.get(random.nextInt(shapes.size())).formatted(random.nextInt());
    }
}
