package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.CommitLink;
import fixtures.CommitLink.Moment;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.HubProcess;
import fixtures.RedisProducers;
import fixtures.StoppableRedis;
import hub.Hub;
import hub.HubConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of the hub while it reads from Redis: in the end there is one event for each entry, and nothing is left behind. */
@Timeout(240)
class RedisCrashTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String ADAPTERS = """
            adapters:
              - name: deploys
                type: redis-stream
                claim_idle: %1$s
              - name: mails
                type: redis-list
                claim_idle: %1$s
            """;

    @AutoClose
    private final DurableDatabase database = DurableDatabase.create();

    @AutoClose
    private final CommitLink link = CommitLink.to(database.port());

    @AutoClose
    private final CommitLink otherLink = CommitLink.to(database.port());

    @AutoClose
    private final StoppableRedis redis = StoppableRedis.started();

    @TempDir
    private Path folder;

    private HubHome home(String name, String claimIdle) {
        return HubHome.in(folder.resolve(name))
                .set(HubConfig.Key.REDIS_URL, redis.url())
                .adapters(ADAPTERS.formatted(claimIdle));
    }

    @Test
    void hubsThatAreKilledBeforeAndAfterTheirCommitsDeliverEachEntryOnce() {
        killInTheMiddle(5);
    }

    @Test
    @Tag("soak")
    @Timeout(1800)
    void hubsThatAreKilledFiftyTimesBeforeAndAfterTheirCommitsDeliverEachEntryOnce() {
        killInTheMiddle(50);
    }

    /** Two hubs, which start at the same time as two cores can: one is killed before its commit, one after it. */
    private void killInTheMiddle(int times) {
        HubHome before = home("before", "60s").database(database.url(link.port()));
        HubHome after = home("after", "60s").database(database.url(otherLink.port()));
        try (RedisProducers producers = RedisProducers.to(redis, "deploys", "mails")) {
            for (int kill = 0; kill < times; kill++) {
                try (HubProcess one = HubProcess.launch(before);
                        HubProcess other = HubProcess.launch(after)) {
                    one.awaitReady();
                    other.awaitReady();

                    link.loseNextCommit(Moment.BEFORE, one::kill9);
                    otherLink.loseNextCommit(Moment.AFTER, other::kill9);

                    await().atMost(PATIENCE)
                            .until(() -> link.lostOne() && otherLink.lostOne() && !one.isAlive() && !other.isAlive());
                }
            }
            try (HubProcess one = HubProcess.launch(before);
                    HubProcess other = HubProcess.launch(after)) {
                producers.stop();
                assertEachOnceAndNothingLeft(producers);
                assertThat(one.isAlive() && other.isAlive()).isTrue();
            }
        }
    }

    @Test
    void twoHubsShareTheWorkAndTheOneThatLivesTakesOverFromTheOneThatDies() {
        try (HubProcess dying = HubProcess.started(home("dying", "1s").database(database.url(link.port())));
                Hub living =
                        Hub.start(home("living", "1s").database(database.url()).config());
                RedisProducers producers = RedisProducers.to(redis, "deploys", "mails")) {
            Set<String> seenAtWork = new HashSet<>();
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(() -> {
                seenAtWork.addAll(atWork());
                return seenAtWork.size() == 2;
            });

            link.loseNextCommit(Moment.BEFORE, dying::kill9);

            await().atMost(PATIENCE).until(() -> link.lostOne() && !dying.isAlive());
            producers.stop();
            assertEachOnceAndNothingLeft(producers);
            await("the dead one's name is forgotten")
                    .atMost(PATIENCE)
                    .until(() -> redis.list("XINFO", "CONSUMERS", "deploys", "switchboard")
                                    .size()
                            == 1);
            assertThat(living.uri()).isNotNull();
        }
    }

    /** Consumers that have something pending right now. */
    private Set<String> atWork() {
        return redis.list("XINFO", "CONSUMERS", "deploys", "switchboard").stream()
                .map(reply -> StoppableRedis.map((List<?>) reply))
                .filter(consumer -> (Long) consumer.get("pending") > 0)
                .map(consumer -> (String) consumer.get("name"))
                .collect(Collectors.toSet());
    }

    private long events() {
        return database.count("SELECT count(*) FROM events");
    }

    private void assertEachOnceAndNothingLeft(RedisProducers producers) {
        await("all entries are events")
                .atMost(PATIENCE)
                .until(() -> events() >= 2 * producers.added() && redis.pending("deploys", "switchboard") == 0);
        await("the list is through")
                .atMost(PATIENCE)
                .until(() -> redis.count("EXISTS", "mails") == 0
                        && redis.list("KEYS", "mails:processing:*").isEmpty());
        assertThat(database.query("SELECT external_id FROM events WHERE source = 'redis:deploys'"))
                .extracting(event -> event.get("external_id"))
                .containsExactlyInAnyOrderElementsOf(producers.entryIds().values());
        assertThat(database.count("SELECT count(*) FROM events WHERE source = 'redis:mails'"))
                .isEqualTo(producers.added());
        assertThat(database.count("SELECT count(DISTINCT payload) FROM events WHERE source = 'redis:mails'"))
                .isEqualTo(producers.added());
        assertThat(
                        database.count(
                                "SELECT count(*) FROM todos t JOIN events e ON e.id = t.event_id WHERE t.source LIKE 'redis:%'"))
                .isEqualTo(2 * producers.added());
        assertThat(redis.count("EXISTS", "deploys:dead", "mails:dead")).isZero();
    }
}
