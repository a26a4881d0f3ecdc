package redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.StoppableRedis;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis goes away and comes back: reading goes on by itself, and nothing is lost or left pending. */
@Timeout(300)
class RedisAwayTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @AutoClose
    private final StoppableRedis redis = StoppableRedis.started();

    @Test
    void startNeedsNoRedis() {
        redis.stop();
        try (Node node = Node.named("a", redis.url()).reading("redis-stream:deploys")) {
            await().atMost(PATIENCE).until(() -> !node.consumer().standing().well());
            assertThat(node.consumer().standing().detail()).contains("no connection");

            redis.start();
            redis.add("deploys", "n", 1);

            await().atMost(PATIENCE).until(() -> node.arrived().size() == 1);
            assertThat(node.consumer().standing().well()).isTrue();
        }
    }

    @Test
    @Tag("soak")
    void absenceOfTwoMinutesEndsByItself() {
        try (Node node = Node.named("a", redis.url()).reading("redis-stream:deploys")) {
            redis.add("deploys", "n", 1);
            await().atMost(PATIENCE).until(() -> node.arrived().size() == 1);
            redis.stop();
            await().atMost(PATIENCE).until(() -> !node.consumer().standing().well());

            await().during(Duration.ofMinutes(2))
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> !node.consumer().standing().well());
            redis.start();
            redis.add("deploys", "n", 2);

            await().atMost(PATIENCE).until(() -> node.arrived().size() == 2);
            await().atMost(PATIENCE).until(() -> redis.pending("deploys", "switchboard") == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-stream:work", "redis-list:work"})
    void whatWasOnItsWayWhenRedisDiedIsAcknowledgedWhenItIsBackAndNotDeliveredAgain(String uri) {
        boolean stream = uri.startsWith("redis-stream");
        try (Node node = Node.named("a", redis.url()).holding().reading(uri)) {
            add(stream, "one");
            await().atMost(PATIENCE).until(() -> node.arrived().size() == 1);

            redis.kill9();
            node.arrived().get(0).complete();
            redis.start();
            node.holdNoMore();
            add(stream, "two");

            await().atMost(PATIENCE).until(() -> node.arrived().size() == 2);
            await().atMost(PATIENCE)
                    .until(() ->
                            (stream ? redis.pending("work", "switchboard") : redis.count("HLEN", "work:processing:a"))
                                    == 0);
            assertThat(node.texts()).doesNotHaveDuplicates().hasSize(2);
        }
    }

    private void add(boolean stream, String word) {
        if (stream) {
            redis.add("work", "n", word);
        } else {
            redis.ask("RPUSH", "work", word);
        }
    }

    @Test
    void everythingThatWasAddedArrivesThoughRedisDiesAgainAndAgain() {
        try (Node node = Node.named("a", redis.url()).reading("redis-stream:work?batch=50")) {
            for (int i = 0; i < 3; i++) {
                redis.addMany("work", "n", 300);
                int before = node.arrived().size();
                await().atMost(PATIENCE).until(() -> node.arrived().size() > before);
                redis.kill9();
                redis.start();
            }

            await().atMost(PATIENCE)
                    .until(() -> node.arrived().stream()
                                    .map(Node.Arrived::id)
                                    .distinct()
                                    .count()
                            == 900);
            await().atMost(PATIENCE).until(() -> redis.pending("work", "switchboard") == 0);
        }
    }
}
