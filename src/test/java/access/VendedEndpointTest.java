package access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import fixtures.Answer;
import fixtures.Bearer;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import hub.Hub;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an account vends: it opens what it says, and nothing once it ended, on every hub over the database. */
class VendedEndpointTest {
    /** Several periods of the sweep, also on a busy machine. */
    private static final Duration SWEPT = Duration.ofSeconds(30);

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final String WORK = "{\"queues\": [\"reviews\"], \"verbs\": [\"work\"]}";

    @TempDir
    static Path folder;

    private static DurableDatabase database;
    private static Hub hub;
    private static Hub otherHub;
    private static Bearer operator;

    private Bearer ada;
    private String scout;

    @BeforeAll
    static void twoHubsOverOneDatabase() {
        database = DurableDatabase.create();
        hub = Hub.start(
                HubHome.in(folder.resolve("one")).database(database.url()).config());
        otherHub = Hub.start(
                HubHome.in(folder.resolve("other")).database(database.url()).config());
        operator = Bearer.operatorOf(hub.uri());
    }

    @AfterAll
    static void stop() {
        otherHub.close();
        hub.close();
        database.close();
    }

    @BeforeEach
    void anAccountWithAnAgent() {
        ada = operator.account("ada-" + NUMBER.incrementAndGet());
        scout = ada.agent("scout");
    }

    // --- what it opens

    @Test
    void credentialIsShownOnceAndStoredAsItsHash() {
        JsonNode vended = ada.made("/v1/account/agents/" + scout + "/endpoints", WORK);

        String credential = vended.path("credential").asText();
        assertThat(credential)
                .matches("swb_[0-9A-Za-z]{43}")
                .startsWith(vended.path("prefix").asText());
        assertThat(vended.path("queues")).hasToString("[\"reviews\"]");
        assertThat(vended.path("expires_at").isNull()).isTrue();
        assertThat(database.query("SELECT * FROM credentials").toString()).doesNotContain(credential);
        Answer listed = ada.get("/v1/account/endpoints");
        assertThat(listed.text()).doesNotContain(credential);
        assertThat(listed.body().at("/endpoints/0/id")).isEqualTo(vended.path("id"));
        assertThat(listed.body().path("next_cursor").isNull()).isTrue();
    }

    @Test
    void registeringAnAgentGrantsNothing() {
        assertThat(database.count(
                        "SELECT count(*) FROM endpoints e JOIN agents a ON a.id = e.agent_id WHERE a.id = ?::uuid",
                        scout))
                .isZero();
    }

    @Test
    void agentWorksItsQueueFromClaimToCompletion() {
        Bearer.Vended vended = ada.vends(scout, WORK);
        String id = ada.todo("reviews");

        Answer claimed = vended.bearer().post("/v1/claim", "{\"worker\": \"laptop\"}");
        Answer completed = vended.bearer().post("/v1/todos/" + id + "/complete", "{\"attempt\": 1}");

        assertThat(claimed.body().at("/todos/0/id").asText()).isEqualTo(id);
        assertThat(claimed.body().at("/todos/0/owner").asText()).isEqualTo(vended.id());
        assertThat(completed.status()).isEqualTo(200);
        assertThat(completed.body().path("owner").asText()).isEqualTo(vended.id());
    }

    @Test
    void ownerIsTheEndpointSoNeitherItsAccountNorAnotherEndpointEndsItsAttempt() {
        Bearer.Vended one = ada.vends(scout, WORK);
        Bearer.Vended other = ada.vends(scout, WORK);
        String id = ada.todo("reviews");
        one.bearer().post("/v1/claim", "{}");

        Answer byOther = other.bearer().post("/v1/todos/" + id + "/complete", "{\"attempt\": 1}");
        Answer byAccount = ada.post("/v1/todos/" + id + "/complete", "{\"attempt\": 1}");

        assertThat(List.of(byOther.code(), byAccount.code())).containsOnly("stale_attempt");
        assertThat(stateOf(id)).isEqualTo("claimed");
    }

    @Test
    void assigneeIsTheAgentAndNoLabelThatItGives() {
        Bearer.Vended scouts = ada.vends(scout, WORK);
        Bearer.Vended others = ada.vends(ada.agent("other"), WORK);
        ada.made("/v1/todos", "{\"queue\": \"reviews\", \"title\": \"t\", \"assignee\": \"scout\"}");

        Answer posing = others.bearer().post("/v1/claim", "{\"worker\": \"scout\"}");
        Answer itself = scouts.bearer().post("/v1/claim", "{}");

        assertThat(posing.body().path("todos")).isEmpty();
        assertThat(itself.body().path("todos")).hasSize(1);
    }

    @Test
    void queueOutsideTheScopeIsForbiddenWhetherOrNotItExists() {
        Bearer agent = ada.vends(scout, "{\"queues\": [\"reviews\"], \"verbs\": [\"work\", \"create\"]}")
                .bearer();
        ada.todo("builds");

        Answer existing = agent.post("/v1/claim", "{\"queues\": [\"builds\"]}");
        Answer missing = agent.post("/v1/claim", "{\"queues\": [\"nothing\"]}");

        assertThat(existing.status()).isEqualTo(403);
        assertThat(existing.text().replace("builds", "nothing")).isEqualTo(missing.text());
        assertThat(agent.get("/v1/todos?queue=builds").code()).isEqualTo("forbidden_queue");
        assertThat(agent.post("/v1/todos", "{\"queue\": \"builds\", \"title\": \"t\"}")
                        .code())
                .isEqualTo("forbidden_queue");
    }

    @Test
    void withoutQueuesOnlyItsOwnAreMeant() {
        Bearer agent = ada.vends(scout, "{\"queues\": [\"reviews\", \"pushes\"], \"verbs\": [\"work\"]}")
                .bearer();
        ada.todo("builds");
        String review = ada.todo("reviews");
        String push = ada.todo("pushes");

        Answer listed = agent.get("/v1/todos");
        Answer claimed = agent.post("/v1/claim", "{\"limit\": 10}");

        assertThat(listed.body().path("todos").findValuesAsText("id")).containsExactly(push, review);
        assertThat(claimed.body().path("todos").findValuesAsText("id")).containsExactlyInAnyOrder(push, review);
    }

    @Test
    void pagesOfSeveralQueuesShowEveryTodoOnce() {
        Bearer agent = ada.vends(scout, "{\"queues\": [\"a\", \"b\"], \"verbs\": [\"read\"]}")
                .bearer();
        List<String> made = List.of(ada.todo("a"), ada.todo("b"), ada.todo("a"), ada.todo("b"), ada.todo("c"));

        JsonNode first = agent.get("/v1/todos?limit=3").body();
        JsonNode second = agent.get(
                        "/v1/todos?limit=3&cursor=" + first.path("next_cursor").asText())
                .body();

        assertThat(first.path("todos").findValuesAsText("id")).containsExactly(made.get(3), made.get(2), made.get(1));
        assertThat(second.path("todos").findValuesAsText("id")).containsExactly(made.get(0));
        assertThat(second.path("next_cursor").isNull()).isTrue();
    }

    @Test
    void todoOfAQueueOutsideTheScopeDoesNotExist() {
        Bearer agent = ada.vends(scout, WORK).bearer();
        String id = ada.todo("builds");

        for (String verb : List.of("claim", "heartbeat", "complete", "release")) {
            String body = verb.equals("claim") ? "{}" : "{\"attempt\": 1}";
            assertThat(agent.post("/v1/todos/" + id + "/" + verb, body).code())
                    .as(verb)
                    .isEqualTo("not_found");
        }
        assertThat(agent.get("/v1/todos/" + id).code()).isEqualTo("not_found");
        assertThat(stateOf(id)).isEqualTo("pending");
    }

    @Test
    void missingVerbIsForbidden() {
        Bearer agent = ada.vends(scout, "{\"queues\": [\"reviews\"], \"verbs\": [\"read\"]}")
                .bearer();

        Answer claim = agent.post("/v1/claim", "{}");

        assertThat(claim.status()).isEqualTo(403);
        assertThat(claim.code()).isEqualTo("forbidden_verb");
        assertThat(agent.get("/v1/events").code()).isEqualTo("forbidden_verb");
        assertThat(agent.get("/v1/account/endpoints").code()).isEqualTo("not_found");
    }

    @Test
    void whoMayOnlyMakeTodosDoesNotReadWhatAKeyHolds() {
        Bearer producer = ada.vends(scout, "{\"queues\": [\"reviews\"], \"verbs\": [\"create\"]}")
                .bearer();
        String asked =
                "{\"queue\": \"reviews\", \"title\": \"t\", \"payload\": {\"n\": %d}, \"idempotency_key\": \"k\"}";
        ada.made("/v1/todos", asked.formatted(1));

        Answer met = producer.post("/v1/todos", asked.formatted(2));

        assertThat(met.status()).isEqualTo(200);
        assertThat(met.body().path("payload").isNull()).isTrue();
    }

    @Test
    void callsOfACredentialThatIsKnownAskTheDatabaseNothingAboutIt() {
        Bearer agent = ada.vends(scout, WORK).bearer();

        // late news of an earlier test may make the hub forget once
        await().untilAsserted(() -> {
            agent.get("/v1/me");
            Object used = database.value(
                    "SELECT max(last_used_at) FROM credentials WHERE prefix = ?",
                    agent.credential().substring(0, 10));
            for (int i = 0; i < 20; i++) {
                assertThat(agent.get("/v1/me").status()).isEqualTo(200);
            }
            assertThat(database.value(
                            "SELECT max(last_used_at) FROM credentials WHERE prefix = ?",
                            agent.credential().substring(0, 10)))
                    .isEqualTo(used);
        });
    }

    @Test
    void meTellsTheScope() {
        Bearer.Vended vended = ada.vends(scout, "{\"queues\": [\"reviews\"], \"verbs\": [\"claim\", \"produce\"]}");

        JsonNode me = vended.bearer().get("/v1/me").body();

        assertThat(me.path("agent").asText()).isEqualTo("scout");
        assertThat(me.path("endpoint").asText()).isEqualTo(vended.id());
        assertThat(me.path("queues")).hasToString("[\"reviews\"]");
        assertThat(me.path("verbs")).hasToString("[\"claim\",\"read\",\"create\"]");
    }

    @Test
    void vendingMakesTheQueuesThatItNames() {
        ada.vends(scout, "{\"queues\": [\"brand-new\"], \"verbs\": [\"read\"]}");

        Answer settings = ada.get("/v1/account/queues/brand-new");

        assertThat(settings.status()).isEqualTo(200);
        assertThat(settings.body().path("lease_seconds").asInt()).isEqualTo(300);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"queues\": [], \"verbs\": [\"work\"]}",
                "{\"queues\": [\"_internal\"], \"verbs\": [\"work\"]}",
                "{\"queues\": [\"two words\"], \"verbs\": [\"work\"]}",
                "{\"queues\": [\"reviews\"], \"verbs\": []}",
                "{\"queues\": [\"reviews\"], \"verbs\": [\"rule\"]}",
                "{\"queues\": [\"reviews\"], \"verbs\": [\"work\"], \"rate_limit\": 0}",
                "{\"queues\": [\"reviews\"], \"verbs\": [\"work\"], \"max_lease_seconds\": 86401}"
            })
    void scopeThatCannotBeIsRefused(String scope) {
        Answer refused = ada.post("/v1/account/agents/" + scout + "/endpoints", scope);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(database.count("SELECT count(*) FROM endpoints WHERE agent_id = ?::uuid", scout))
                .isZero();
    }

    // --- bounds

    @Test
    void leaseIsWhatTheEndpointSaysAndNeverMoreThanItMay() {
        Bearer agent = ada.vends(
                        scout,
                        "{\"queues\": [\"reviews\"], \"verbs\": [\"work\"], \"lease_seconds\": 20, \"max_lease_seconds\": 60}")
                .bearer();
        String id = ada.todo("reviews");
        String other = ada.todo("reviews");

        agent.post("/v1/claim", "{}");
        agent.post("/v1/todos/" + other + "/claim", "{\"lease_seconds\": 3600}");

        assertThat(leaseOf(id)).isEqualTo(20);
        assertThat(leaseOf(other)).isEqualTo(60);
        agent.post("/v1/todos/" + id + "/heartbeat", "{\"attempt\": 1, \"lease_seconds\": 3600}");
        assertThat(database.count(
                        "SELECT round(extract(epoch FROM lease_expires_at - updated_at))::bigint FROM todos WHERE id = ?::uuid",
                        id))
                .isEqualTo(60);
    }

    @Test
    void callsBeyondTheRateAreToldWhenToComeBack() {
        Bearer agent = ada.vends(scout, "{\"queues\": [\"reviews\"], \"verbs\": [\"work\"], \"rate_limit\": 3}")
                .bearer();
        for (int i = 0; i < 3; i++) {
            assertThat(agent.get("/v1/me").status()).isEqualTo(200);
        }

        Answer refused = agent.get("/v1/me");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.code()).isEqualTo("rate_limited");
        assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(1L, 20L);
        assertThat(ada.get("/v1/me").status()).isEqualTo(200);
    }

    @Test
    void endpointEndsWhenItExpiresAlthoughNothingIsAnnounced() {
        Bearer agent = ada.vends(scout, "{\"queues\": [\"reviews\"], \"verbs\": [\"work\"], \"expires_in_seconds\": 3}")
                .bearer();

        // known from the first call on, but not for longer than it lives
        await().untilAsserted(() -> assertThat(agent.get("/v1/me").status()).isEqualTo(401));

        assertThat(agent.post("/v1/claim", "{}").status()).isEqualTo(401);
    }

    @Test
    void expiredEndpointIsUnknownAndWhatItHeldComesBackUncharged() {
        Bearer.Vended vended =
                ada.vends(scout, "{\"queues\": [\"reviews\"], \"verbs\": [\"work\"], \"expires_in_seconds\": 86400}");
        String id = ada.todo("reviews");
        vended.bearer().post("/v1/claim", "{}");
        assertThat(vended.bearer().get("/v1/me").status()).isEqualTo(200);

        database.execute("UPDATE endpoints SET expires_at = now() WHERE id = ?::uuid", vended.id());
        database.execute("SELECT pg_notify('access_changed', 'a test')");

        await().untilAsserted(
                        () -> assertThat(vended.bearer().get("/v1/me").code()).isEqualTo("unauthorized"));
        await().atMost(SWEPT).untilAsserted(() -> assertThat(stateOf(id)).isEqualTo("pending"));
        assertThat(database.count("SELECT failures FROM todos WHERE id = ?::uuid", id))
                .isZero();
    }

    // --- the end

    @Test
    void revokedEndpointIsUnknownAtOnceAndItsTodosAreBackWhenTheCallReturns() {
        Bearer.Vended vended = ada.vends(scout, WORK);
        String id = ada.todo("reviews");
        vended.bearer().post("/v1/claim", "{\"lease_seconds\": 86400}");

        Answer revoked = ada.post("/v1/account/endpoints/" + vended.id() + "/revoke", "{\"todos\": \"release\"}");

        assertThat(revoked.status()).isEqualTo(200);
        assertThat(revoked.body().path("revoked_at").isNull()).isFalse();
        assertThat(vended.bearer().get("/v1/me").status()).isEqualTo(401);
        assertThat(database.query("SELECT state, owner, failures, last_outcome FROM todos WHERE id = ?::uuid", id)
                        .toString())
                .isEqualTo("[{state=pending, owner=null, failures=0, last_outcome=released}]");
        assertThat(database.value("SELECT outcome FROM todo_attempts WHERE todo_id = ?::uuid", id))
                .isEqualTo("released");
    }

    @Test
    void revocationFailsTheTodosWhereTheOwnerSaysSo() {
        Bearer.Vended vended = ada.vends(scout, WORK);
        String id = ada.todo("reviews");
        vended.bearer().post("/v1/claim", "{}");

        ada.post("/v1/account/endpoints/" + vended.id() + "/revoke", "{\"todos\": \"fail\"}");

        JsonNode todo = ada.get("/v1/todos/" + id).body();
        assertThat(todo.path("state").asText()).isEqualTo("failed");
        assertThat(todo.path("failed_reason").asText()).isEqualTo("endpoint_revoked");
        assertThat(todo.at("/attempts/0/outcome").asText()).isEqualTo("cancelled");
    }

    @Test
    void hubThatMissedTheRevocationCanShowButNotChange() {
        Bearer.Vended vended =
                ada.vends(scout, "{\"queues\": [\"reviews\"], \"verbs\": [\"work\", \"create\", \"retry\"]}");
        Bearer agent = vended.bearer();
        String id = ada.todo("reviews");
        agent.post("/v1/claim", "{}");
        String failed = ada.todo("failed");
        database.execute(
                "UPDATE todos SET state = 'failed', queue = 'reviews', completed_at = now() WHERE id = ?::uuid",
                failed);

        // nobody is told
        database.execute(
                "UPDATE endpoints SET revoked_at = now(), revoked_todos = 'release' WHERE id = ?::uuid", vended.id());

        String next = ada.todo("reviews");
        assertThat(agent.get("/v1/todos/" + id).status()).isEqualTo(200);
        assertThat(List.of(
                        agent.post("/v1/todos/" + id + "/heartbeat", "{\"attempt\": 1}")
                                .code(),
                        agent.post("/v1/todos/" + id + "/complete", "{\"attempt\": 1}")
                                .code(),
                        agent.post("/v1/todos/" + id + "/fail", "{\"attempt\": 1, \"error\": \"e\"}")
                                .code(),
                        agent.post("/v1/todos/" + id + "/release", "{\"attempt\": 1}")
                                .code(),
                        agent.post("/v1/todos/" + next + "/claim", "{}").code(),
                        agent.post("/v1/todos", "{\"queue\": \"reviews\", \"title\": \"t\"}")
                                .code()))
                .containsOnly("unauthorized");
        assertThat(agent.post("/v1/complete", "{\"todos\": [{\"id\": \"" + id + "\", \"attempt\": 1}]}")
                        .body()
                        .at("/todos/0/code")
                        .asText())
                .isEqualTo("unauthorized");
        assertThat(agent.post("/v1/claim", "{\"limit\": 10}").body().path("todos"))
                .isEmpty();
        assertThat(agent.post("/v1/todos/" + failed + "/retry", "").status()).isEqualTo(404);
        assertThat(List.of(stateOf(next), stateOf(failed))).containsExactly("pending", "failed");
        await().atMost(SWEPT).untilAsserted(() -> assertThat(stateOf(id)).isEqualTo("pending"));
    }

    @Test
    void claimThatWasUnderWayWhenItsEndpointEndedIsMetByALaterSweep() {
        Bearer.Vended vended = ada.vends(scout, WORK);
        ada.post("/v1/account/endpoints/" + vended.id() + "/revoke", "");
        String id = ada.todo("reviews");

        // commits after the revocation has taken back what it saw
        database.execute(
                "UPDATE todos SET state = 'claimed', owner = ?, attempt = 1, claimed_at = now(),"
                        + " lease_expires_at = now() + interval '1 day' WHERE id = ?::uuid",
                vended.id(),
                id);

        await().atMost(SWEPT).untilAsserted(() -> assertThat(stateOf(id)).isEqualTo("pending"));
        database.execute(
                "UPDATE endpoints SET revoked_at = now() - interval '2 minutes' WHERE id = ?::uuid", vended.id());
        await().atMost(SWEPT)
                .untilAsserted(() -> assertThat(
                                database.value("SELECT settled FROM endpoints WHERE id = ?::uuid", vended.id()))
                        .isEqualTo(true));
    }

    @Test
    void revokedTwiceIsRevokedOnce() {
        Bearer.Vended vended = ada.vends(scout, WORK);
        String path = "/v1/account/endpoints/" + vended.id();
        Answer first = ada.post(path + "/revoke", "");

        Answer second = ada.post(path + "/revoke", "{\"todos\": \"fail\"}");

        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(database.count(
                        "SELECT count(*) FROM audit_log WHERE action = 'endpoint.revoke' AND subject = ?", vended.id()))
                .isOne();
    }

    @Test
    void revocationEndsAParkedClaimOnEveryHub() throws Exception {
        Bearer.Vended vended = ada.vends(scout, WORK);
        Bearer elsewhere = Bearer.of(otherHub.uri(), vended.bearer().credential());
        String waits = "{\"queues\": [\"reviews\"], \"wait_seconds\": 60}";
        CompletableFuture<Answer> here = vended.bearer().later("/v1/claim", waits);
        CompletableFuture<Answer> there = elsewhere.later("/v1/claim", waits);
        await().until(() -> parked(hub) >= 1 && parked(otherHub) >= 1);

        ada.post("/v1/account/endpoints/" + vended.id() + "/revoke", "");

        assertThat(here.get(20, TimeUnit.SECONDS).code()).isEqualTo("unauthorized");
        assertThat(there.get(20, TimeUnit.SECONDS).code()).isEqualTo("unauthorized");
        await().untilAsserted(() -> assertThat(elsewhere.get("/v1/me").status()).isEqualTo(401));
    }

    @Test
    void otherHubForgetsTheCredentialWhenItHearsOfTheRevocation() {
        Bearer.Vended vended = ada.vends(scout, WORK);
        Bearer elsewhere = Bearer.of(otherHub.uri(), vended.bearer().credential());
        assertThat(elsewhere.get("/v1/me").status()).isEqualTo(200);

        ada.post("/v1/account/endpoints/" + vended.id() + "/revoke", "");

        await().pollInterval(20, TimeUnit.MILLISECONDS)
                .untilAsserted(
                        () -> assertThat(elsewhere.get("/v1/me").status()).isEqualTo(401));
    }

    @Test
    void removedAgentTakesItsEndpointsWithIt() {
        Bearer.Vended vended = ada.vends(scout, WORK);
        String id = ada.todo("reviews");
        vended.bearer().post("/v1/claim", "{}");

        Answer removed = ada.delete("/v1/account/agents/" + scout);

        assertThat(removed.status()).isEqualTo(200);
        assertThat(vended.bearer().get("/v1/me").status()).isEqualTo(401);
        assertThat(stateOf(id)).isEqualTo("pending");
        assertThat(ada.get("/v1/account/agents/" + scout).status()).isEqualTo(404);
        assertThat(ada.agent("scout")).isNotEqualTo(scout);
    }

    @Test
    void rotationGivesASecondCredentialAndTheFirstOneAGraceThatEnds() {
        Bearer.Vended vended = ada.vends(scout, WORK);
        String path = "/v1/account/endpoints/" + vended.id() + "/rotate";

        Answer rotated = ada.post(path, "{\"grace_seconds\": 3600}");
        Bearer second = Bearer.of(hub.uri(), rotated.body().path("credential").asText());
        int firstInGrace = vended.bearer().get("/v1/me").status();
        Answer again = ada.post(path, "{\"grace_seconds\": 0}");
        Bearer third = Bearer.of(hub.uri(), again.body().path("credential").asText());

        assertThat(rotated.status()).isEqualTo(200);
        assertThat(rotated.body().path("id").asText()).isEqualTo(vended.id());
        assertThat(firstInGrace).isEqualTo(200);
        assertThat(third.get("/v1/me").body().path("endpoint").asText()).isEqualTo(vended.id());
        assertThat(List.of(
                        vended.bearer().get("/v1/me").status(),
                        second.get("/v1/me").status()))
                .containsOnly(401);
    }

    @Test
    void rotationKeepsTheOwnerSoWorkGoesOn() {
        Bearer.Vended vended = ada.vends(scout, WORK);
        String id = ada.todo("reviews");
        vended.bearer().post("/v1/claim", "{}");

        Answer rotated = ada.post("/v1/account/endpoints/" + vended.id() + "/rotate", "{\"grace_seconds\": 0}");
        Answer completed = Bearer.of(
                        hub.uri(), rotated.body().path("credential").asText())
                .post("/v1/todos/" + id + "/complete", "{\"attempt\": 1}");

        assertThat(completed.status()).isEqualTo(200);
    }

    private static long parked(Hub hub) {
        String detail = Bearer.operatorOf(hub.uri())
                .get("/health/ready")
                .body()
                .at("/parts/claims/detail")
                .asText();
        return Long.parseLong(detail.split(" ")[0]);
    }

    private static String stateOf(String todo) {
        return (String) database.value("SELECT state FROM todos WHERE id = ?::uuid", todo);
    }

    private static long leaseOf(String todo) {
        return database.count(
                "SELECT extract(epoch FROM lease_expires_at - claimed_at)::bigint FROM todos WHERE id = ?::uuid", todo);
    }
}
