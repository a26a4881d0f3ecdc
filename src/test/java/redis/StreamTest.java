package redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import fixtures.StoppableRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import model.Refusal;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code redis-stream:}: what becomes of an entry follows what becomes of its exchange. */
@Timeout(120)
class StreamTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration A_WHILE = Duration.ofMillis(700);
    private static final String GROUP = "switchboard";

    @AutoClose
    private static final StoppableRedis REDIS = StoppableRedis.started();

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private String stream;

    @BeforeEach
    void newStream() {
        stream = "stream-" + NUMBER.incrementAndGet();
    }

    private Node node(String name) {
        return Node.named(name, REDIS.url());
    }

    private String uri(String... options) {
        return "redis-stream:" + stream + "?" + String.join("&", options);
    }

    private void awaitNothingPending() {
        await().atMost(PATIENCE).until(() -> REDIS.pending(stream, GROUP) == 0);
    }

    private void add(int number) {
        REDIS.addMany(stream, "n", number);
    }

    @Test
    void entriesAddedBeforeAndAfterTheStartArriveOnceInOrderAndAreAcknowledged() {
        add(3);

        try (Node node = node("a").reading(uri())) {
            await().atMost(PATIENCE).until(() -> node.arrived().size() == 3);
            String last = REDIS.add(stream, "n", 4, "Wörter", "für \"alle\"");

            await().atMost(PATIENCE).until(() -> node.arrived().size() == 4);
            awaitNothingPending();
            assertThat(node.texts())
                    .containsExactly(
                            "{\"n\":\"1\"}",
                            "{\"n\":\"2\"}",
                            "{\"n\":\"3\"}",
                            "{\"n\":\"4\",\"Wörter\":\"für \\\"alle\\\"\"}");
            assertThat(node.arrived().get(3).id()).isEqualTo(last);
            assertThat(node.consumer().standing().well()).isTrue();
        }
    }

    @Test
    void entryIsPendingUntilItsExchangeIsCompleted() {
        try (Node node = node("a").holding().reading(uri())) {
            REDIS.add(stream, "n", 1);
            REDIS.add(stream, "n", 2);
            await().atMost(PATIENCE).until(() -> node.arrived().size() == 2);
            assertThat(REDIS.pending(stream, GROUP)).isEqualTo(2);

            node.arrived().get(1).complete();

            await().atMost(PATIENCE).until(() -> REDIS.pending(stream, GROUP) == 1);
            List<?> pending = REDIS.list("XPENDING", stream, GROUP, "-", "+", 10);
            assertThat(((List<?>) pending.get(0)).get(0))
                    .isEqualTo(node.arrived().get(0).id());
            node.arrived().get(0).complete();
            awaitNothingPending();
        }
    }

    @Test
    void acknowledgementsOfManyEntriesGoOutTogether() {
        add(300);
        try (Node node = node("a").holding().reading(uri())) {
            await().atMost(PATIENCE).until(() -> node.arrived().size() == 300);
            long before = scripts();

            node.arrived().forEach(Node.Arrived::complete);

            awaitNothingPending();
            // tidying takes some as well
            assertThat(scripts() - before).isLessThan(60);
        }
    }

    private static long scripts() {
        String stats = (String) REDIS.ask("INFO", "commandstats");
        return stats.lines()
                .filter(line -> line.startsWith("cmdstat_xack:calls="))
                .mapToLong(line -> Long.parseLong(line.replaceFirst(".*calls=(\\d+).*", "$1")))
                .sum();
    }

    @Test
    void fieldMayBeTheBodyWhateverItsBytesAndNoFieldBecomesAHeader() {
        byte[] bytes = {0, (byte) 0xff, '{', 10};
        try (Node node = node("a").reading(uri("body=field:payload"))) {
            REDIS.add(stream, "payload", bytes, "CamelFileName", "evil", "type", "deployed");

            await().atMost(PATIENCE).until(() -> node.arrived().size() == 1);
            var message = node.arrived().get(0).exchange().getMessage();
            assertThat(message.getBody(byte[].class)).isEqualTo(bytes);
            assertThat(message.getHeaders())
                    .containsOnlyKeys(
                            RedisHeaders.ENTRY_ID, RedisHeaders.KEY, RedisHeaders.CONNECTION, RedisHeaders.FIELDS);
            assertThat(message.getHeader(RedisHeaders.FIELDS))
                    .isEqualTo(Map.of("CamelFileName", "evil", "type", "deployed"));
            awaitNothingPending();
        }
    }

    @Test
    void entryWithoutItsBodyGoesToTheDeadLetterStreamWithItsReasonAndTheStreamGoesOn() {
        try (Node node = node("a").reading(uri("body=field:payload"))) {
            String poison = REDIS.add(stream, "pay1oad", "x", "pay1oad", "y");
            REDIS.add(stream, "payload", "good");

            await().atMost(PATIENCE).until(() -> node.texts().equals(List.of("good")));
            awaitNothingPending();
            await().atMost(PATIENCE).until(() -> REDIS.count("XLEN", stream + ":dead") == 1);
            List<?> dead =
                    (List<?>) REDIS.list("XRANGE", stream + ":dead", "-", "+").get(0);
            assertThat((List<?>) dead.get(1))
                    .isEqualTo(List.of(
                            "switchboard-id",
                            poison,
                            "switchboard-reason",
                            "the entry has no field payload",
                            "switchboard-refusals",
                            "1",
                            "pay1oad",
                            "x",
                            "pay1oad",
                            "y"));
        }
    }

    @Test
    void entryThatIsNoTextGoesToTheDeadLetterStreamOrIsGivenWholeWhereThatIsAskedFor() {
        byte[] noText = {(byte) 0xc3, 0x28};
        try (Node node = node("a").reading(uri("unreadable=event"))) {
            REDIS.add(stream, "bytes", noText);

            await().atMost(PATIENCE).until(() -> node.arrived().size() == 1);
            assertThat(node.texts()).containsExactly("{\"fields\":[[\"bytes\",{\"base64\":\"wyg=\"}]]}");
            assertThat(node.arrived().get(0).exchange().getMessage().getHeader(RedisHeaders.UNREADABLE, String.class))
                    .contains("no UTF-8");
            awaitNothingPending();
        }
        try (Node node = node("a").reading(uri("unreadable=dead", "group=other"))) {
            await().atMost(PATIENCE).until(() -> REDIS.count("XLEN", stream + ":dead") == 1);
            assertThat(node.arrived()).isEmpty();
        }
    }

    @Test
    void entryThatIsRefusedAgainAndAgainIsPutAsideAtItsLimitAndNotBefore() {
        Refusal unstorable = new Refusal(Refusal.Code.DELIVERY_UNSTORABLE, "no such data");
        try (Node node = node("a")
                .deciding(
                        exchange -> exchange.getMessage().getBody(String.class).contains("bad") ? unstorable : null)
                .reading(uri("maxDeliveries=3"))) {
            REDIS.add(stream, "n", "bad");
            REDIS.add(stream, "n", "good");

            await().atMost(PATIENCE).until(() -> REDIS.count("EXISTS", stream + ":dead") == 1);

            assertThat(node.texts().stream().filter(text -> text.contains("bad")))
                    .hasSize(3);
            assertThat(node.texts().stream().filter(text -> text.contains("good")))
                    .hasSize(1);
            assertThat(REDIS.entries(stream + ":dead"))
                    .singleElement()
                    .satisfies(dead -> assertThat(dead)
                            .containsEntry("n", "bad")
                            .containsEntry("switchboard-refusals", "3")
                            .containsEntry("switchboard-reason", "no such data"));
            awaitNothingPending();
            assertThat(REDIS.count("EXISTS", stream + ":refusals:" + GROUP)).isZero();
        }
    }

    @Test
    void refusalsAreForgottenWhenTheEntryIsAcceptedAfterAll() {
        AtomicInteger tries = new AtomicInteger();
        try (Node node = node("a")
                .deciding(exchange -> tries.incrementAndGet() < 3 ? new IllegalStateException("not yet") : null)
                .reading(uri())) {
            REDIS.add(stream, "n", 1);

            await().atMost(PATIENCE).until(() -> node.arrived().size() == 3);
            awaitNothingPending();
            assertThat(REDIS.count("EXISTS", stream + ":dead")).isZero();
            assertThat(REDIS.count("EXISTS", stream + ":refusals:" + GROUP)).isZero();
        }
    }

    @Test
    void outagesDoNotCountAndReadingStopsUntilSomethingGetsThrough() {
        AtomicBoolean outage = new AtomicBoolean(true);
        AtomicInteger turn = new AtomicInteger();
        try (Node node = node("a")
                .deciding(exchange -> !outage.get()
                        ? null
                        : turn.incrementAndGet() % 2 == 0
                                ? new Refusal(Refusal.Code.DATABASE_UNAVAILABLE, "the database is away")
                                : new IOException("somebody else is away"))
                .reading(uri("maxDeliveries=1", "batch=10"))) {
            add(3);
            await().atMost(PATIENCE).until(() -> node.arrived().size() > 4);
            long readBefore = REDIS.pending(stream, GROUP);
            add(500);

            await().during(A_WHILE).atMost(PATIENCE).until(() -> REDIS.pending(stream, GROUP) == readBefore);
            assertThat(node.consumer().standing().well()).isFalse();
            assertThat(node.consumer().standing().detail()).contains("away");
            outage.set(false);

            await().atMost(PATIENCE).until(() -> ids(node, false).size() == 503);
            awaitNothingPending();
            assertThat(REDIS.count("EXISTS", stream + ":dead")).isZero();
            assertThat(node.consumer().standing().well()).isTrue();
        }
    }

    /** Of those that ended well, or badly. */
    private static Set<String> ids(Node node, boolean badly) {
        return node.arrived().stream()
                .filter(arrived -> (arrived.exchange().getException() != null) == badly)
                .map(Node.Arrived::id)
                .collect(Collectors.toSet());
    }

    @Test
    void noMoreIsReadThanMayBeOnItsWay() {
        add(100);
        try (Node node = node("a").holding().reading(uri("batch=10", "maxInFlight=20"))) {
            await().atMost(PATIENCE).until(() -> node.arrived().size() > 10);

            await().during(A_WHILE).atMost(PATIENCE).until(() -> node.arrived().size() <= 20);
            assertThat(REDIS.pending(stream, GROUP)).isLessThanOrEqualTo(20);
            node.holdNoMore();
            node.arrived().forEach(Node.Arrived::complete);

            await().atMost(PATIENCE).until(() -> node.arrived().size() == 100);
            awaitNothingPending();
        }
    }

    @Test
    void pendingEntriesOfARestartedNodeAreReadFirst() {
        Node first = node("a").holding().reading(uri());
        add(3);
        await().atMost(PATIENCE).until(() -> first.arrived().size() == 3);
        first.die();
        add(2);

        try (Node second = node("a").reading(uri())) {
            await().atMost(PATIENCE).until(() -> second.arrived().size() == 5);
            assertThat(second.texts())
                    .containsExactly(
                            "{\"n\":\"1\"}", "{\"n\":\"2\"}", "{\"n\":\"3\"}", "{\"n\":\"1\"}", "{\"n\":\"2\"}");
            awaitNothingPending();
        }
        first.close();
    }

    @Test
    void pendingEntriesOfADeadNodeAreTakenOverByAnotherAndItsNameIsRemovedOnlyThen() {
        Node dead = node("dead").holding().reading(uri("claimIdle=1500"));
        add(3);
        await().atMost(PATIENCE).until(() -> dead.arrived().size() == 3);
        try (Node living = node("living").holding().reading(uri("claimIdle=1500"))) {
            dead.die();

            await().atMost(PATIENCE).until(() -> living.arrived().size() == 3);

            assertThat(REDIS.pending(stream, GROUP)).isEqualTo(3);
            await().atMost(PATIENCE).until(() -> consumers().equals(Set.of("living")));
            assertThat(REDIS.pending(stream, GROUP)).isEqualTo(3);
            living.arrived().forEach(Node.Arrived::complete);
            awaitNothingPending();
        }
        dead.close();
    }

    private Set<String> consumers() {
        return REDIS.list("XINFO", "CONSUMERS", stream, GROUP).stream()
                .map(reply -> (String) StoppableRedis.map((List<?>) reply).get("name"))
                .collect(Collectors.toSet());
    }

    @Test
    void groupThatVanishesIsMadeAgainFromTheBeginning() {
        try (Node node = node("a").reading(uri())) {
            add(2);
            await().atMost(PATIENCE).until(() -> node.arrived().size() == 2);
            awaitNothingPending();

            REDIS.ask("XGROUP", "DESTROY", stream, GROUP);
            REDIS.add(stream, "n", "later");

            // all that is in the stream is read again: what was committed is recognised by its id
            await().atMost(PATIENCE).until(() -> node.arrived().size() >= 5);
            assertThat(node.texts()).contains("{\"n\":\"later\"}");
            awaitNothingPending();
        }
    }

    @Test
    void entryThatWasTrimmedWhileItWasPendingIsGivenUpAndCounted() {
        Node first = node("a").holding().reading(uri());
        add(3);
        await().atMost(PATIENCE).until(() -> first.arrived().size() == 3);
        first.die();
        REDIS.ask("XDEL", stream, first.arrived().get(1).id());

        try (Node second = node("a").reading(uri())) {
            await().atMost(PATIENCE).until(() -> second.arrived().size() == 2);

            awaitNothingPending();
            await().atMost(PATIENCE)
                    .until(() -> second.consumer().standing().detail().contains("1 lost"));
        }
        first.close();
    }

    @Test
    void entryOfADeadNodeThatWasTrimmedIsGivenUpByWhoTakesOver() {
        Node dead = node("dead").holding().reading(uri("claimIdle=1000"));
        add(3);
        await().atMost(PATIENCE).until(() -> dead.arrived().size() == 3);
        dead.die();
        REDIS.ask("XDEL", stream, dead.arrived().get(0).id());

        try (Node living = node("living").reading(uri("claimIdle=1000"))) {
            await().atMost(PATIENCE).until(() -> living.arrived().size() == 2);

            awaitNothingPending();
            await().atMost(PATIENCE)
                    .until(() -> living.consumer().standing().detail().contains("1 lost"));
        }
        dead.close();
    }

    @Test
    void streamIsTrimmedToItsLengthButNothingThatIsPendingOrNotReadByAnyGroup() {
        REDIS.ask("XGROUP", "CREATE", stream, "slow", "0", "MKSTREAM");
        add(2_000);
        try (Node node = node("a").holding().reading(uri("trimMaxlen=300", "claimIdle=1000", "maxInFlight=3000"))) {
            await().atMost(PATIENCE).until(() -> node.arrived().size() == 2_000);
            // everything is read, nothing acknowledged, and the other group has read nothing
            await().during(Duration.ofSeconds(2)).atMost(PATIENCE).until(() -> REDIS.count("XLEN", stream) == 2_000);

            node.arrived().stream().skip(1).forEach(Node.Arrived::complete);
            REDIS.ask("XGROUP", "SETID", stream, "slow", "$");
            await().during(Duration.ofSeconds(2)).atMost(PATIENCE).until(() -> REDIS.count("XLEN", stream) == 2_000);
            node.arrived().get(0).complete();

            await().atMost(PATIENCE).until(() -> REDIS.count("XLEN", stream) < 600);
            assertThat(REDIS.count("XLEN", stream)).isGreaterThanOrEqualTo(300);
        }
    }

    @Test
    void deadEntriesArePutBackAsTheyWereSent() {
        try (Node node = node("a").reading(uri("body=field:payload"))) {
            REDIS.addMany(stream, "typo", 150);
            await().atMost(PATIENCE).until(() -> REDIS.count("XLEN", stream + ":dead") == 150);
            assertThat(node.arrived()).isEmpty();
        }

        DeadLetters.Redelivered back = redelivered();

        assertThat(back).isEqualTo(new DeadLetters.Redelivered(150, 0));
        assertThat(REDIS.count("XLEN", stream + ":dead")).isZero();
        try (Node node = node("a").reading(uri("body=field:typo"))) {
            await().atMost(PATIENCE).until(() -> node.arrived().size() == 150);
            assertThat(node.texts()).doesNotHaveDuplicates().contains("1", "150");
        }
    }

    @Test
    void entryOfThousandsOfFieldsIsPutAsideLikeAnyOther() {
        Object[] many = IntStream.range(0, 5_000).mapToObj(i -> "f" + i).toArray();
        try (Node node = node("a").reading(uri("body=field:payload"))) {
            List<Object> arguments = new java.util.ArrayList<>(List.of(stream, "*"));
            for (Object field : many) {
                arguments.add(field);
                arguments.add("v");
            }
            REDIS.ask("XADD", arguments.toArray());

            await().atMost(PATIENCE).until(() -> REDIS.count("EXISTS", stream + ":dead") == 1);
            awaitNothingPending();
            assertThat(node.arrived()).isEmpty();
        }
        assertThat(redelivered()).isEqualTo(new DeadLetters.Redelivered(0, 1));
    }

    private DeadLetters.Redelivered redelivered() {
        try (Connections connections =
                new Connections(Map.of(Connections.DEFAULT, RedisUrl.parse(REDIS.url())), "cli")) {
            return DeadLetters.putBackToStream(connections, Connections.DEFAULT, stream);
        }
    }

    @Test
    void suspendedRouteReadsNothingAndAcknowledgesWhatWasOnItsWay() {
        try (Node node = node("a").holding().reading(uri())) {
            REDIS.add(stream, "n", 1);
            await().atMost(PATIENCE).until(() -> node.arrived().size() == 1);

            node.suspend();
            REDIS.add(stream, "n", 2);
            node.arrived().get(0).complete();

            awaitNothingPending();
            await().during(A_WHILE).atMost(PATIENCE).until(() -> node.arrived().size() == 1);
            node.holdNoMore();
            node.resume();
            await().atMost(PATIENCE).until(() -> node.arrived().size() == 2);
            awaitNothingPending();
        }
    }

    @Test
    void stoppedNodeHasAcknowledgedAllThatWasCompleted() {
        Node node = node("a").reading(uri());
        add(500);
        await().atMost(PATIENCE).until(() -> node.arrived().size() > 200);

        node.close();

        assertThat(node.arrived())
                .allSatisfy(arrived -> assertThat(pendingIds()).doesNotContain(arrived.id()));
    }

    private Set<String> pendingIds() {
        return REDIS.list("XPENDING", stream, GROUP, "-", "+", 1_000).stream()
                .map(entry -> (String) ((List<?>) entry).get(0))
                .collect(Collectors.toSet());
    }

    @Test
    void mistakesInTheUriEndTheStart() {
        assertThatThrownBy(() -> node("a").reading(uri("connection=nowhere")))
                .hasStackTraceContaining("there is no Redis connection \"nowhere\"");
        assertThatThrownBy(() -> node("a").reading(uri("body=fields")))
                .hasStackTraceContaining("body is entry or field:<name>");
        assertThatThrownBy(() -> node("a").reading(uri("batsch=1"))).hasStackTraceContaining("batsch");
    }
}
