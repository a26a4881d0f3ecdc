package redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.StoppableRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import model.Refusal;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code redis-list:}: an element is in Redis until its exchange is completed, and no two are taken for one. */
@Timeout(120)
class ListTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @AutoClose
    private static final StoppableRedis REDIS = StoppableRedis.started();

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private String list;

    @BeforeEach
    void newList() {
        list = "list-" + NUMBER.incrementAndGet();
    }

    private static Node node(String name) {
        return Node.named(name, REDIS.url());
    }

    private String uri(String... options) {
        return "redis-list:" + list + "?" + String.join("&", options);
    }

    private long held(String node) {
        return REDIS.count("HLEN", list + ":processing:" + node);
    }

    private void push(Object... elements) {
        Object[] arguments = IntStream.rangeClosed(0, elements.length)
                .mapToObj(i -> i == 0 ? list : elements[i - 1])
                .toArray();
        REDIS.ask("RPUSH", arguments);
    }

    @Test
    void elementsArriveInOrderWhateverTheirBytesAndAreGoneAfterwards() {
        byte[] bytes = {0, (byte) 0xff, 10};
        push("first", bytes);

        try (Node node = node("a").reading(uri())) {
            await().atMost(PATIENCE).until(() -> node.arrived().size() == 2);
            push("third");

            await().atMost(PATIENCE).until(() -> node.arrived().size() == 3);
            assertThat(node.texts()).element(0).isEqualTo("first");
            assertThat(node.arrived().get(1).exchange().getMessage().getBody(byte[].class))
                    .isEqualTo(bytes);
            assertThat(node.texts()).element(2).isEqualTo("third");
            await().atMost(PATIENCE).until(() -> held("a") == 0);
            assertThat(REDIS.count("EXISTS", list)).isZero();
        }
    }

    @Test
    void twoEqualElementsAreTwo() {
        try (Node node = node("a").reading(uri())) {
            push("same", "same");

            await().atMost(PATIENCE).until(() -> node.arrived().size() == 2);
            assertThat(node.texts()).containsExactly("same", "same");
            assertThat(node.arrived().get(0).id())
                    .isNotEqualTo(node.arrived().get(1).id());
        }
    }

    @Test
    void elementIsHeldInRedisUntilItsExchangeIsCompleted() {
        try (Node node = node("a").holding().reading(uri())) {
            push("one", "two");
            await().atMost(PATIENCE).until(() -> node.arrived().size() == 2);
            assertThat(held("a")).isEqualTo(2);

            node.arrived().get(0).complete();

            await().atMost(PATIENCE).until(() -> held("a") == 1);
            assertThat(REDIS.list("HVALS", list + ":processing:a")).isEqualTo(List.of("two"));
            node.arrived().get(1).complete();
            await().atMost(PATIENCE).until(() -> held("a") == 0);
        }
    }

    @Test
    void restartedNodeReadsWhatItHeldUnderTheSameIds() {
        Node first = node("a").holding().reading(uri());
        push("one", "two");
        await().atMost(PATIENCE).until(() -> first.arrived().size() == 2);
        first.die();
        push("three");

        try (Node second = node("a").reading(uri())) {
            await().atMost(PATIENCE).until(() -> second.arrived().size() == 3);
            assertThat(second.texts()).containsExactly("one", "two", "three");
            assertThat(second.arrived().subList(0, 2))
                    .extracting(Node.Arrived::id)
                    .isEqualTo(first.arrived().stream().map(Node.Arrived::id).toList());
            await().atMost(PATIENCE).until(() -> held("a") == 0);
        }
        first.close();
    }

    @Test
    void whatADeadNodeHeldIsTakenOverWhenItsLeaseLapsesAndNotFromALivingOne() {
        Node dead = node("dead").holding().reading(uri("claimIdle=1000"));
        push("the dead one's");
        await().atMost(PATIENCE).until(() -> dead.arrived().size() == 1);
        dead.die();
        try (Node busy = node("busy").holding().reading(uri("claimIdle=1000"))) {
            push("the busy one's");
            await().atMost(PATIENCE).until(() -> busy.texts().contains("the busy one's"));
            try (Node idle = node("idle").reading(uri("claimIdle=1000"))) {
                await().atMost(PATIENCE)
                        .until(() -> busy.texts().contains("the dead one's")
                                || idle.texts().contains("the dead one's"));

                assertThat(Stream.concat(busy.arrived().stream(), idle.arrived().stream())
                                .map(Node.Arrived::id))
                        .contains(dead.arrived().get(0).id());
                assertThat(REDIS.list("SMEMBERS", list + ":consumers"))
                        .extracting(Object::toString)
                        .doesNotContain("dead");
                assertThat(held("dead")).isZero();
                // longer than a lease: what a living node holds stays its own
                await().during(Duration.ofMillis(1500))
                        .atMost(PATIENCE)
                        .until(() -> !idle.texts().contains("the busy one's"));
                assertThat(REDIS.list("HVALS", list + ":processing:busy"))
                        .extracting(Object::toString)
                        .contains("the busy one's");
            }
        }
        dead.close();
    }

    @Test
    void elementThatIsRefusedForGoodGoesToTheDeadLetterStreamAndCanBePutBack() {
        Refusal tooLarge = new Refusal(Refusal.Code.BODY_TOO_LARGE, "too large");
        try (Node node = node("a")
                .deciding(
                        exchange -> exchange.getMessage().getBody(String.class).equals("bad") ? tooLarge : null)
                .reading(uri())) {
            push("bad", "good");

            await().atMost(PATIENCE).until(() -> REDIS.count("EXISTS", list + ":dead") == 1);

            assertThat(node.texts()).containsExactly("bad", "good");
            assertThat(REDIS.entries(list + ":dead"))
                    .singleElement()
                    .satisfies(dead -> assertThat(dead)
                            .containsEntry("element", "bad")
                            .containsEntry("switchboard-reason", "too large"));
            await().atMost(PATIENCE).until(() -> held("a") == 0);
        }
        try (Connections connections =
                new Connections(Map.of(Connections.DEFAULT, RedisUrl.parse(REDIS.url())), "cli")) {
            assertThat(DeadLetters.putBackToList(connections, Connections.DEFAULT, list))
                    .isEqualTo(new DeadLetters.Redelivered(1, 0));
        }
        assertThat(REDIS.list("LRANGE", list, 0, -1)).isEqualTo(List.of("bad"));
        assertThat(REDIS.count("XLEN", list + ":dead")).isZero();
    }

    @Test
    void elementIsPutAsideAtTheLimitOfRefusals() {
        try (Node node = node("a")
                .deciding(exchange -> new IllegalArgumentException("not like this"))
                .reading(uri("maxDeliveries=2"))) {
            push("odd");

            await().atMost(PATIENCE).until(() -> REDIS.count("EXISTS", list + ":dead") == 1);

            assertThat(node.arrived()).hasSize(2);
            assertThat(REDIS.count("EXISTS", list + ":refusals")).isZero();
        }
    }

    @Test
    void twoNodesShareAListAndEachElementArrivesOnce() {
        try (Node one = node("one").reading(uri("batch=5"));
                Node other = node("other").reading(uri("batch=5"))) {
            Object[] elements = IntStream.range(0, 400).mapToObj(i -> "e" + i).toArray();
            push(elements);

            await().atMost(PATIENCE)
                    .until(() -> one.arrived().size() + other.arrived().size() >= 400);

            List<String> all =
                    Stream.concat(one.texts().stream(), other.texts().stream()).toList();
            assertThat(all).doesNotHaveDuplicates().hasSize(400);
            await().atMost(PATIENCE).until(() -> held("one") + held("other") == 0);
        }
    }
}
