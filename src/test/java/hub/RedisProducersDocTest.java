package hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.StoppableRedis;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisDataException;

/** What docs/redis-producers.md tells people to do works, with the rights that it tells them to give. */
@Timeout(120)
class RedisProducersDocTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Path PAGE = Path.of("docs/redis-producers.md");
    private static final Pattern ADAPTERS =
            Pattern.compile("^```yaml\n(adapters:.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern ACL = Pattern.compile("^ACL (SETUSER .*)$", Pattern.MULTILINE);

    @AutoClose
    private static final StoppableRedis REDIS = StoppableRedis.started();

    @AutoClose
    private static final DurableDatabase DATABASE = DurableDatabase.create();

    @TempDir
    private static Path folder;

    @Test
    void producerThatMayOnlyAddAndAHubWithTheRightsOfThePageDoWhatThePageSays() throws Exception {
        String page = Files.readString(PAGE);
        List<String> users =
                ACL.matcher(page).results().map(found -> found.group(1)).toList();
        assertThat(users).hasSize(2);
        users.forEach(user -> REDIS.ask("ACL", Arrays.stream(user.split(" ")).toArray()));
        Matcher adapters = ADAPTERS.matcher(page);
        assertThat(adapters.find()).isTrue();
        HubHome home = HubHome.in(folder)
                .database(DATABASE.url())
                .set(HubConfig.Key.REDIS_URL, "redis://switchboard:another-long-password@127.0.0.1:" + REDIS.port())
                .adapters(adapters.group(1));

        try (Hub hub = Hub.start(home.config());
                Jedis producer = new Jedis("127.0.0.1", REDIS.port())) {
            producer.auth("deploy-bot", "a-long-password");
            producer.xadd(
                    "deploys",
                    StreamEntryID.NEW_ENTRY,
                    Map.of("type", "deployed", "payload", "{\"service\": \"shop\", \"version\": \"4.2.0\"}"));
            producer.xadd("deploys", StreamEntryID.NEW_ENTRY, Map.of("type", "deployed"));
            REDIS.ask("RPUSH", "mails", "{\"to\": \"ada\"}");

            await().atMost(PATIENCE).until(() -> count("redis:deploys") == 1 && count("redis:mails") == 1);
            await().atMost(PATIENCE).until(() -> {
                REDIS.ask("PUBLISH", "ticks", "now");
                return count("redis:ticks") > 0;
            });
            assertThat(DATABASE.value("SELECT title FROM todos WHERE queue = 'checks'"))
                    .isEqualTo("Check shop 4.2.0");
            await().atMost(PATIENCE).until(() -> REDIS.count("EXISTS", "deploys:dead") == 1);
            await().atMost(PATIENCE).until(() -> REDIS.pending("deploys", "switchboard") == 0);
            assertThat(REDIS.entries("deploys:dead").get(0).keySet())
                    .containsExactly("switchboard-id", "switchboard-reason", "switchboard-refusals", "type");
            assertThatThrownBy(() -> producer.xadd("mails", StreamEntryID.NEW_ENTRY, Map.of("a", "b")))
                    .isInstanceOf(JedisDataException.class)
                    .hasMessageContaining("NOPERM");
            assertThatThrownBy(() -> producer.xlen("deploys")).hasMessageContaining("NOPERM");
            assertThat(new HubBackstage().redeliver(home.config(), "deploys")).isEqualTo("1 entry put back to deploys");
            assertThat(hub.uri()).isNotNull();
        }
    }

    private static long count(String source) {
        return DATABASE.count("SELECT count(*) FROM events WHERE source = ?", source);
    }
}
