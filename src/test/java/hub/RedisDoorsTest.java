package hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import fixtures.Answer;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.Operator;
import fixtures.StoppableRedis;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What producers in Redis, integrators and the operator see of a hub that reads there. */
@Timeout(120)
class RedisDoorsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String PASSWORD = "p@ss-of-the-hub-in-redis";

    @AutoClose
    private static final StoppableRedis REDIS = StoppableRedis.started();

    @TempDir
    private Path folder;

    private DurableDatabase database;
    private HubHome home;

    @BeforeEach
    void homeWithAnAclUser() {
        REDIS.ask("FLUSHALL");
        // what docs/redis-producers.md gives to the hub
        REDIS.ask(
                "ACL",
                "SETUSER",
                "hub",
                "reset",
                "on",
                ">" + PASSWORD,
                "~*",
                "resetchannels",
                "&ticks",
                "+@stream",
                "+@scripting",
                "+@hash",
                "+@list",
                "+@set",
                "+@string",
                "+@keyspace",
                "+@pubsub",
                "+@connection",
                "+time",
                "-@dangerous");
        database = DurableDatabase.create();
        home = HubHome.in(folder)
                .database(database.url())
                .set(HubConfig.Key.REDIS_URL, "redis://hub:p%40ss-of-the-hub-in-redis@127.0.0.1:" + REDIS.port() + "/0")
                .variable("SWITCHBOARD_REDIS_SECOND_URL", REDIS.url() + "/3");
    }

    @AfterEach
    void dropDatabase() {
        database.close();
    }

    private List<Map<String, Object>> events(String source) {
        return database.query("SELECT * FROM events WHERE source = ? ORDER BY id", source);
    }

    @Test
    void entryOfAStreamBecomesAnEventWithAllThatItSays() {
        home.adapters("""
                adapters:
                  - name: deploys
                    type: redis-stream
                    stream: prod:deploys
                    body: field:payload
                    event_type: field:type
                    todos:
                      - when: type == "deployed" && payload.version > 3 && headers.region == "eu"
                        queue: checks
                        title: "Check {payload.service}"
                """);
        try (Hub hub = Hub.start(home.config())) {
            String id = REDIS.add(
                    "prod:deploys",
                    "type",
                    "deployed",
                    "payload",
                    "{\"service\":\"shop\",\"version\":4}",
                    "region",
                    "eu",
                    "api_key",
                    "do-not-store-this",
                    "CamelSqlQuery",
                    "DROP TABLE events");

            await().atMost(PATIENCE).until(() -> events("redis:deploys").size() == 1);
            Map<String, Object> event = events("redis:deploys").get(0);
            assertThat(event)
                    .containsEntry("external_id", id)
                    .containsEntry("event_type", "deployed")
                    .containsEntry("family", "queue")
                    .containsEntry("trust_mode", "queue")
                    .containsEntry("verified", false)
                    .containsEntry("verify_detail", "redis acl: hub; connection default; stream prod:deploys")
                    .containsEntry("source_ip", null);
            assertThat(new String((byte[]) event.get("payload"), java.nio.charset.StandardCharsets.UTF_8))
                    .isEqualTo("{\"service\":\"shop\",\"version\":4}");
            assertThat(event.get("headers").toString())
                    .contains("\"region\": \"eu\"", "«redacted»")
                    .doesNotContain("do-not-store-this");
            assertThat(database.query("SELECT queue, title FROM todos"))
                    .containsExactly(Map.of("queue", "checks", "title", "Check shop"));
            await().atMost(PATIENCE).until(() -> REDIS.pending("prod:deploys", "switchboard") == 0);
            assertThat(hub.startupLines()).anyMatch(line -> line.contains("XADD prod:deploys"));
        }
    }

    @Test
    void listsChannelsAndOtherConnectionsAreReadAsAdaptersSay() {
        home.adapters("""
                adapters:
                  - { name: mails, type: redis-list }
                  - { name: ticks, type: redis-pubsub, loss: accepted }
                  - { name: elsewhere, type: redis-stream, connection: second }
                  - { name: nowhere, type: redis-stream, connection: third }
                """);
        try (Hub hub = Hub.start(home.config())) {
            REDIS.ask("RPUSH", "mails", "{\"to\":\"ada\"}", "{\"to\":\"ada\"}");
            await().atMost(PATIENCE).until(() -> events("redis:mails").size() == 2);
            await().atMost(PATIENCE).until(() -> {
                REDIS.ask("PUBLISH", "ticks", "tick");
                return !events("redis:ticks").isEmpty();
            });
            addToDatabase3();
            await().atMost(PATIENCE).until(() -> events("redis:elsewhere").size() == 1);

            assertThat(events("redis:ticks").get(0)).containsEntry("external_id", null);
            assertThat(events("redis:elsewhere").get(0))
                    .containsEntry("verify_detail", "redis acl: default; connection second; stream elsewhere");
            JsonNode ready = Operator.of(hub.uri()).get("/health/ready").body();
            assertThat(ready.required("status").asText()).isEqualTo("degraded");
            assertThat(ready.at("/parts/adapters/detail").asText())
                    .contains("nowhere (SWITCHBOARD_REDIS_THIRD_URL is not set)");
            assertThat(ready.at("/parts/redis/status").asText()).isEqualTo("up");
        }
    }

    private static void addToDatabase3() {
        try (redis.clients.jedis.Jedis jedis = new redis.clients.jedis.Jedis("127.0.0.1", REDIS.port())) {
            jedis.select(3);
            jedis.xadd("elsewhere", redis.clients.jedis.StreamEntryID.NEW_ENTRY, Map.of("n", "1"));
        }
    }

    @Test
    void entryThatCannotBeADeliveryIsPutAsideAndTheOperatorPutsItBack() {
        String adapters = """
                adapters:
                  - name: deploys
                    type: redis-stream
                    max_body: %s
                """;
        home.adapters(adapters.formatted("20B"));
        try (Hub hub = Hub.start(home.config())) {
            REDIS.add("deploys", "n", "x".repeat(50));
            REDIS.add("deploys", "n", 1);

            await().atMost(PATIENCE).until(() -> events("redis:deploys").size() == 1);
            await().atMost(PATIENCE).until(() -> REDIS.count("EXISTS", "deploys:dead") == 1);
            assertThat(REDIS.entries("deploys:dead").get(0).get("switchboard-reason"))
                    .asString()
                    .contains("max_body is 20");
            await().atMost(PATIENCE)
                    .until(() -> Operator.of(hub.uri())
                            .get("/health/ready")
                            .body()
                            .at("/parts/redis/detail")
                            .asText()
                            .contains("1 dead"));
        }

        home.adapters(adapters.formatted("1KiB"));
        String said = run("redeliver", "deploys");

        assertThat(said).contains("1 entry");
        try (Hub hub = Hub.start(home.config())) {
            await().atMost(PATIENCE).until(() -> events("redis:deploys").size() == 2);
            assertThat(REDIS.count("XLEN", "deploys:dead")).isZero();
            assertThat(hub.uri()).isNotNull();
        }
    }

    private String run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Switchboard.commandLine(
                        new HashMap<>(home.environment()),
                        new HubBackstage(),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true))
                .execute(arguments);
        return out + err.toString();
    }

    @Test
    void redeliverySaysWhatItCannotDo() {
        home.adapters("""
                adapters:
                  - { name: homelab, type: generic, trust: open }
                  - { name: ticks, type: redis-pubsub, loss: accepted }
                  - { name: off, type: redis-list, connection: third }
                """);

        assertThat(run("redeliver", "homelap")).contains("no adapter homelap").contains("homelab");
        assertThat(run("redeliver", "homelab")).contains("reads no stream or list");
        assertThat(run("redeliver", "ticks")).contains("reads no stream or list");
        assertThat(run("redeliver", "off")).contains("SWITCHBOARD_REDIS_THIRD_URL is not set");
    }

    @Test
    void readyIsDegradedWhileRedisIsAwayAndNothingPrintsThePassword() throws Exception {
        home.adapters("""
                adapters:
                  - { name: deploys, type: redis-stream }
                """);
        try (StoppableRedis own = StoppableRedis.started();
                Hub hub = Hub.start(home.set(
                                HubConfig.Key.REDIS_URL, "redis://hub:" + "wrong-password" + "@127.0.0.1:" + own.port())
                        .config())) {
            await().atMost(PATIENCE)
                    .until(() -> part(hub).required("status").asText().equals("degraded"));
            Answer ready = Operator.of(hub.uri()).get("/health/ready");
            assertThat(ready.status()).isEqualTo(200);
            assertThat(part(hub).required("detail").asText())
                    .contains("WRONGPASS", "redis://hub@127.0.0.1:" + own.port())
                    .doesNotContain("wrong-password");

            own.stop();

            await().atMost(PATIENCE)
                    .until(() -> part(hub).required("detail").asText().contains("no connection"));
            assertThat(home.config().toString()).doesNotContain("wrong-password");
            assertThat(Files.readString(home.folder().resolve("adapters.yaml"))).contains("deploys");
        }
    }

    private static JsonNode part(Hub hub) {
        return Operator.of(hub.uri()).get("/health/ready").body().at("/parts/redis");
    }

    @Test
    void integratorsRouteMayReadRedisAndAcknowledgesAfterTheCommit() {
        home.adapters("""
                adapters:
                  - { name: orders, type: route }
                """);
        home.route("orders.camel.yaml", """
                - route:
                    id: orders-from-redis
                    from:
                      uri: redis-stream:orders
                      parameters:
                        group: mine
                        body: field:order
                      steps:
                        - to: "intake:orders?externalId=${header.RedisEntryId}&eventType=${header.RedisFields[type]}"
                """);
        try (Hub hub = Hub.start(home.config())) {
            String id = REDIS.add("orders", "order", "{\"id\":7}", "type", "ordered", "CamelFileName", "evil");

            await().atMost(PATIENCE).until(() -> events("route:orders").size() == 1);
            assertThat(events("route:orders").get(0))
                    .containsEntry("external_id", id)
                    .containsEntry("event_type", "ordered");
            assertThat(events("route:orders").get(0).get("headers").toString())
                    .contains("redisentryid")
                    .doesNotContain("evil");
            await().atMost(PATIENCE).until(() -> REDIS.pending("orders", "mine") == 0);
            assertThat(hub.startupLines()).anyMatch(line -> line.contains("orders-from-redis"));
        }
    }

    @Test
    void switchedOffAdapterLeavesItsEntriesPendingUntilItIsSwitchedOn() {
        home.adapters("""
                adapters:
                  - { name: deploys, type: redis-stream }
                """);
        try (Hub hub = Hub.start(home.config())) {
            Operator operator = Operator.of(hub.uri());
            assertThat(operator.put("/v1/operator/adapters/deploys", "{\"enabled\": false}")
                            .status())
                    .isEqualTo(200);
            REDIS.addMany("deploys", "n", 300);

            await().atMost(PATIENCE).until(() -> REDIS.pending("deploys", "switchboard") > 0);
            await().during(Duration.ofSeconds(1))
                    .atMost(PATIENCE)
                    .until(() -> events("redis:deploys").isEmpty());
            assertThat(part(hub).required("detail").asText()).contains("it is off");
            operator.put("/v1/operator/adapters/deploys", "{\"enabled\": null}");

            await().atMost(PATIENCE).until(() -> events("redis:deploys").size() == 300);
            await().atMost(PATIENCE).until(() -> REDIS.pending("deploys", "switchboard") == 0);
            assertThat(REDIS.count("EXISTS", "deploys:dead")).isZero();
        }
    }

    @Test
    void stopAcknowledgesAllThatWasCommitted() {
        home.adapters("""
                adapters:
                  - { name: deploys, type: redis-stream }
                  - { name: mails, type: redis-list }
                """);
        REDIS.addMany("deploys", "n", 5_000);
        try (Hub hub = Hub.start(home.config())) {
            await().atMost(PATIENCE).until(() -> !events("redis:deploys").isEmpty());
            assertThat(hub.uri()).isNotNull();
        }

        // what was read as the stop came is not stored either, and the next hub reads it again
        List<String> pending = REDIS.list("XPENDING", "deploys", "switchboard", "-", "+", "5000").stream()
                .map(entry -> text(((List<?>) entry).get(0)))
                .toList();
        assertThat(events("redis:deploys"))
                .isNotEmpty()
                .extracting(event -> event.get("external_id").toString())
                .noneMatch(pending::contains);
    }

    private static String text(Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : reply.toString();
    }

    @Test
    void twoHubsInOneFolderAreTwoConsumers() {
        home.adapters("""
                adapters:
                  - { name: deploys, type: redis-stream }
                """);
        try (Hub one = Hub.start(home.config());
                Hub other = Hub.start(home.config())) {
            await().atMost(PATIENCE)
                    .until(() -> REDIS.count("EXISTS", "deploys") == 1
                            && REDIS.list("XINFO", "CONSUMERS", "deploys", "switchboard")
                                            .size()
                                    == 2);
            assertThat(one.uri()).isNotEqualTo(other.uri());
        }
        List<?> before = REDIS.list("XINFO", "CONSUMERS", "deploys", "switchboard");
        try (Hub again = Hub.start(home.config())) {
            REDIS.add("deploys", "n", 1);
            await().atMost(PATIENCE).until(() -> events("redis:deploys").size() == 1);

            assertThat(REDIS.list("XINFO", "CONSUMERS", "deploys", "switchboard"))
                    .as("a restarted node has the name that it had")
                    .hasSameSizeAs(before);
            assertThat(again.uri()).isNotNull();
        }
    }

    @Test
    void addressesThatAreNotSupportedAreRefusedByName() {
        assertThatThrownBy(() -> home.set(HubConfig.Key.REDIS_URL, "redis-sentinel://:s3cret@a:1,b:2/mymaster")
                        .config())
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("SWITCHBOARD_REDIS_URL asks for sentinels")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> home.set(HubConfig.Key.REDIS_URL, "redis://:s3cret@a:1,b:2")
                        .config())
                .hasMessageContaining("a cluster is not supported")
                .hasMessageNotContaining("s3cret");
    }
}
