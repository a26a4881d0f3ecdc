package redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import fixtures.StoppableRedis;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code redis-pubsub:}: what is heard is handed over, and nobody is told that nothing is lost. */
@Timeout(120)
class PubSubTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @AutoClose
    private final StoppableRedis redis = StoppableRedis.started();

    @Test
    void messagesArriveAlsoAfterRedisWasAway() {
        try (Node node = Node.named("a", redis.url()).reading("redis-pubsub:ticks?loss=accepted")) {
            publishUntilHeard(node, "before");
            redis.kill9();
            redis.start();

            publishUntilHeard(node, "after");
        }
    }

    /** What nobody hears is lost: so it is said again. */
    private void publishUntilHeard(Node node, String message) {
        await().atMost(PATIENCE).until(() -> {
            redis.ask("PUBLISH", "ticks", message);
            return node.texts().contains(message);
        });
    }

    @Test
    void withoutTheWordThatLossIsAcceptedThereIsNoSuchSource() {
        assertThatThrownBy(() -> Node.named("a", redis.url()).reading("redis-pubsub:ticks"))
                .hasStackTraceContaining("loss=accepted");
        assertThat(redis.list("PUBSUB", "CHANNELS")).isEmpty();
    }

    @Test
    void startNeedsNoRedis() {
        redis.stop();
        try (Node node = Node.named("a", redis.url()).reading("redis-pubsub:ticks?loss=accepted")) {
            Watched consumer = (Watched) node.context().getRoutes().get(0).getConsumer();
            await().atMost(PATIENCE).until(() -> consumer.standing().detail().contains("no connection"));
            assertThat(consumer.standing().well()).isFalse();

            redis.start();

            publishUntilHeard(node, "hello");
            assertThat(consumer.standing().well()).isTrue();
        }
    }
}
