package access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import fixtures.Answer;
import fixtures.Bearer;
import fixtures.Deliveries;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import hub.Hub;
import hub.HubConfig;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Webhooks that accounts and their agents make for themselves: what comes in, under which ceiling, and what is never shown. */
class MadeWebhooksTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    @TempDir
    static Path folder;

    private static DurableDatabase database;
    private static Hub hub;
    private static Bearer operator;

    private Bearer ada;
    private String accountPath;
    private Bearer.Vended agent;

    @BeforeAll
    static void aHubWithAKey() {
        database = DurableDatabase.create();
        hub = Hub.start(HubHome.in(folder)
                .database(database.url())
                .set(HubConfig.Key.SECRETS_KEY, KEY)
                .config());
        operator = Bearer.operatorOf(hub.uri());
    }

    @AfterAll
    static void stop() {
        hub.close();
        database.close();
    }

    @BeforeEach
    void anAccountWithAnAgentThatMayMakeTwo() {
        JsonNode made = operator.made("/v1/operator/accounts", "{\"name\": \"ada-" + NUMBER.incrementAndGet() + "\"}");
        accountPath = "/v1/operator/accounts/" + made.path("id").asText();
        ada = operator.as(made.path("token").asText());
        agent = ada.vends(
                ada.agent("builder"),
                "{\"queues\": [\"builds\"], \"verbs\": [\"work\", \"webhooks\"], \"max_webhooks\": 2}");
    }

    private static String asked(String name) {
        return "{\"name\": \"" + name + "\", \"queue\": \"builds\"}";
    }

    private Answer deliver(JsonNode webhook, String token, String id) {
        return Deliveries.withTokenFor("any")
                .to(webhook.path("path").asText())
                .header("X-Switchboard-Token", token)
                .withId(id)
                .sendTo(hub.uri());
    }

    @Test
    void deliveryToAnAgentsWebhookBecomesATodoThatItClaims() {
        JsonNode made = agent.bearer().made("/v1/webhooks", asked("ci"));

        Answer delivered = deliver(made, made.path("token").asText(), "one");
        Answer claimed = agent.bearer().post("/v1/claim", "{}");

        assertThat(made.path("path").asText()).matches("/webhooks/w/[0-9A-Za-z]{43}");
        assertThat(delivered.status()).isEqualTo(202);
        assertThat(claimed.body().at("/todos/0/source").asText()).isEqualTo("webhook:ci");
        assertThat(claimed.body().at("/todos/0/payload/host").asText()).isEqualTo("nas");
        assertThat(database.query("SELECT * FROM webhooks").toString())
                .doesNotContain(made.path("token").asText());
    }

    @Test
    void deliveryWithoutTheTokenOrToAnotherPathIsRefusedAndNotStored() {
        JsonNode made = agent.bearer().made("/v1/webhooks", asked("ci"));

        Answer guessed = deliver(made, "guessed", "one");
        Answer lost = Deliveries.withTokenFor("any")
                .to("/webhooks/w/" + "0".repeat(43))
                .sendTo(hub.uri());

        assertThat(guessed.code()).isEqualTo("token_mismatch");
        assertThat(lost.code()).isEqualTo("not_found");
        assertThat(database.count("SELECT count(*) FROM events WHERE source = 'webhook:ci' AND external_id = 'one'"
                        + " AND account_id = (SELECT account_id FROM webhooks WHERE id = '"
                        + made.path("id").asText() + "')"))
                .isZero();
    }

    @Test
    void theSameDeliveryTwiceIsOneEvent() {
        JsonNode made = agent.bearer().made("/v1/webhooks", asked("ci"));
        String token = made.path("token").asText();

        Answer first = deliver(made, token, "one");
        Answer second = deliver(made, token, "one");

        assertThat(second.status()).isEqualTo(200);
        assertThat(second.eventId()).isEqualTo(first.eventId());
    }

    @Test
    void agentSeesThoseThatItMadeAndItsAccountAllOfThem() {
        JsonNode agents = agent.bearer().made("/v1/webhooks", asked("agents"));
        JsonNode accounts = ada.made("/v1/webhooks", asked("accounts"));

        Answer listed = agent.bearer().get("/v1/webhooks");

        assertThat(listed.body().path("webhooks").findValuesAsText("name")).containsExactly("agents");
        assertThat(agent.bearer()
                        .delete("/v1/webhooks/" + accounts.path("id").asText())
                        .status())
                .isEqualTo(404);
        assertThat(ada.get("/v1/webhooks").body().path("webhooks").findValuesAsText("name"))
                .containsExactly("accounts", "agents");
        assertThat(ada.get("/v1/webhooks/" + agents.path("id").asText())
                        .body()
                        .path("endpoint")
                        .asText())
                .isEqualTo(agent.id());
    }

    @Test
    void rotatedTokenReplacesTheFormerOneAtOnce() {
        JsonNode made = agent.bearer().made("/v1/webhooks", asked("ci"));

        Answer rotated = agent.bearer().post("/v1/webhooks/" + made.path("id").asText() + "/rotate", "");

        assertThat(deliver(made, made.path("token").asText(), "one").status()).isEqualTo(403);
        assertThat(deliver(made, rotated.body().path("token").asText(), "one").status())
                .isEqualTo(202);
    }

    @Test
    void formerTokenWorksOnForAsLongAsItWasGiven() {
        JsonNode made = agent.bearer().made("/v1/webhooks", asked("graceful"));
        String rotate = "/v1/webhooks/" + made.path("id").asText() + "/rotate";

        Answer rotated = agent.bearer().post(rotate, "{\"grace_seconds\": 3}");

        String token = rotated.body().path("token").asText();
        assertThat(deliver(made, token, "new").status()).isEqualTo(202);
        assertThat(deliver(made, made.path("token").asText(), "old").status()).isEqualTo(202);
        await().untilAsserted(() -> assertThat(
                        deliver(made, made.path("token").asText(), "late").status())
                .isEqualTo(403));
        assertThat(deliver(made, token, "later").status()).isEqualTo(202);
    }

    @Test
    void secondRotationEndsTheFirstOfAll() {
        JsonNode made = agent.bearer().made("/v1/webhooks", asked("twice"));
        String rotate = "/v1/webhooks/" + made.path("id").asText() + "/rotate";

        agent.bearer().post(rotate, "{\"grace_seconds\": 600}");
        Answer last = agent.bearer().post(rotate, "{}");

        assertThat(deliver(made, made.path("token").asText(), "first").status()).isEqualTo(403);
        assertThat(deliver(made, last.body().path("token").asText(), "last").status())
                .isEqualTo(202);
    }

    @Test
    void deletedWebhookIsGoneAndSoAreThoseOfARevokedEndpoint() {
        JsonNode deleted = agent.bearer().made("/v1/webhooks", asked("deleted"));
        JsonNode orphaned = agent.bearer().made("/v1/webhooks", asked("orphaned"));

        agent.bearer().delete("/v1/webhooks/" + deleted.path("id").asText());
        ada.post("/v1/account/endpoints/" + agent.id() + "/revoke", "");

        assertThat(deliver(deleted, deleted.path("token").asText(), "one").status())
                .isEqualTo(404);
        await().untilAsserted(() -> assertThat(
                        deliver(orphaned, orphaned.path("token").asText(), "x").status())
                .isEqualTo(404));
        // neither its name nor its place under the ceiling is kept
        assertThat(ada.get("/v1/webhooks").body().path("webhooks")).isEmpty();
    }

    // --- the ceiling

    @Test
    void endpointMakesNoMoreThanItMay() {
        agent.bearer().made("/v1/webhooks", asked("one"));
        agent.bearer().made("/v1/webhooks", asked("two"));

        Answer third = agent.bearer().post("/v1/webhooks", asked("three"));

        assertThat(third.status()).isEqualTo(409);
        assertThat(third.code()).isEqualTo("limit_reached");
    }

    @Test
    void queueOutsideItsScopeIsForbidden() {
        Answer refused = agent.bearer().post("/v1/webhooks", "{\"name\": \"ci\", \"queue\": \"secrets\"}");

        assertThat(refused.code()).isEqualTo("forbidden_queue");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"most\": 0}",
                "{\"most\": 5, \"queues\": [\"other\"]}",
                "{\"most\": 5, \"types\": [\"github\"]}"
            })
    void operatorsCeilingHoldsForTheAccountToo(String ceiling) {
        operator.put(accountPath + "/webhooks", ceiling);

        Answer refused = ada.post("/v1/webhooks", asked("ci"));

        assertThat(refused.code()).isEqualTo("limit_reached");
        assertThat(ada.get("/v1/webhooks").body().path("webhooks")).isEmpty();
    }

    // --- providers' secrets

    @Test
    void providersSecretIsTakenEncryptedAndNeverShown() {
        operator.put(accountPath + "/webhooks", "{\"most\": 5, \"types\": [\"generic\", \"github\"]}");

        JsonNode made = ada.made(
                "/v1/webhooks",
                "{\"name\": \"gh\", \"queue\": \"pushes\", \"type\": \"github\", \"secret\": \"" + HubHome.GITHUB_SECRET
                        + "\"}");
        Deliveries push = Deliveries.signedBy("any").to(made.path("path").asText());

        assertThat(made.path("token").isNull()).isTrue();
        assertThat(push.sendTo(hub.uri()).status()).isEqualTo(202);
        assertThat(push.signedWith("another").sendTo(hub.uri()).code()).isEqualTo("signature_mismatch");
        assertThat(made.toString() + ada.get("/v1/webhooks").text()).doesNotContain(HubHome.GITHUB_SECRET);
        assertThat(database.value(
                        "SELECT position(convert_to(?, 'UTF8') IN secret) FROM webhooks WHERE name = 'gh'"
                                + " AND id = '" + made.path("id").asText() + "'",
                        HubHome.GITHUB_SECRET))
                .isEqualTo(0);
        assertThat(database.value("SELECT verified FROM events WHERE source = 'webhook:gh'"))
                .isEqualTo(true);
    }

    @Test
    void providersWebhookIsRotatedByItsNewSecretAndByNothingElse() {
        operator.put(accountPath + "/webhooks", "{\"most\": 5, \"types\": [\"github\"]}");
        JsonNode made = ada.made(
                "/v1/webhooks", "{\"name\": \"gh\", \"queue\": \"q\", \"type\": \"github\", \"secret\": \"former\"}");
        String rotate = "/v1/webhooks/" + made.path("id").asText() + "/rotate";
        Deliveries push = Deliveries.signedBy("any").to(made.path("path").asText());

        Answer without = ada.post(rotate, "{}");
        Answer with = ada.post(rotate, "{\"secret\": \"latter\"}");

        assertThat(without.body().at("/errors/0/field").asText()).isEqualTo("secret");
        assertThat(with.status()).isEqualTo(200);
        assertThat(push.signedWith("former").sendTo(hub.uri()).status()).isEqualTo(401);
        assertThat(push.signedWith("latter").sendTo(hub.uri()).status()).isEqualTo(202);
    }

    @Test
    void providerIsGivenTimeToLearnItsNewSecret() {
        operator.put(accountPath + "/webhooks", "{\"most\": 5, \"types\": [\"github\"]}");
        JsonNode made = ada.made(
                "/v1/webhooks", "{\"name\": \"slow\", \"queue\": \"q\", \"type\": \"github\", \"secret\": \"former\"}");
        Deliveries push = Deliveries.signedBy("any").to(made.path("path").asText());

        ada.post(
                "/v1/webhooks/" + made.path("id").asText() + "/rotate",
                "{\"secret\": \"latter\", \"grace_seconds\": 600}");

        assertThat(push.signedWith("former").withId("1").sendTo(hub.uri()).status())
                .isEqualTo(202);
        assertThat(push.signedWith("latter").withId("2").sendTo(hub.uri()).status())
                .isEqualTo(202);
        assertThat(push.signedWith("other").withId("3").sendTo(hub.uri()).status())
                .isEqualTo(401);
    }

    @Test
    void anyProviderOfTheTableCanBeMadeAndItsSecretIsLookedAt() {
        operator.put(accountPath + "/webhooks", "{\"most\": 5, \"types\": [\"gitlab\", \"discord\"]}");
        String gitlab = "{\"name\": \"gl\", \"queue\": \"q\", \"type\": \"gitlab\", \"secret\": \"{{env:PATH}}\"}";

        JsonNode made = ada.made("/v1/webhooks", gitlab);
        Answer noKey =
                ada.post("/v1/webhooks", gitlab.replace("gitlab", "discord").replace("gl", "dc"));

        // what a tenant writes refers to nothing of the hub's: it is the secret
        assertThat(Deliveries.signedBy("any")
                        .to(made.path("path").asText())
                        .header("X-Gitlab-Token", "{{env:PATH}}")
                        .sendTo(hub.uri())
                        .status())
                .isEqualTo(202);
        assertThat(noKey.status()).isEqualTo(400);
        assertThat(noKey.body().at("/errors/0/field").asText()).isEqualTo("secret");
    }

    @Test
    void secretWithoutAProviderAndProviderWithoutASecretAreRefused() {
        Answer both = ada.post("/v1/webhooks", "{\"name\": \"a\", \"queue\": \"q\", \"secret\": \"s\"}");
        Answer neither = ada.post("/v1/webhooks", "{\"name\": \"a\", \"queue\": \"q\", \"type\": \"github\"}");

        assertThat(both.body().at("/errors/0/field").asText()).isEqualTo("secret");
        assertThat(neither.body().at("/errors/0/field").asText()).isEqualTo("secret");
    }

    @Test
    void hubWithoutAKeyTakesNoSecretAndOpensNoDoor() {
        operator.put(accountPath + "/webhooks", "{\"most\": 5, \"types\": [\"github\"]}");
        String asked = "{\"name\": \"gh\", \"queue\": \"q\", \"type\": \"github\", \"secret\": \"s3cret\"}";
        JsonNode made = ada.made("/v1/webhooks", asked);

        try (Hub keyless = Hub.start(
                HubHome.in(folder.resolve("keyless")).database(database.url()).config())) {
            Answer refused = Bearer.of(keyless.uri(), ada.credential())
                    .post("/v1/webhooks", asked.replace("\"gh\"", "\"other\""));
            Answer signed = Deliveries.signedBy("any")
                    .signedWith("s3cret")
                    .to(made.path("path").asText())
                    .sendTo(keyless.uri());

            assertThat(refused.code()).isEqualTo("not_possible");
            assertThat(signed.status()).isEqualTo(404);
        }
    }
}
