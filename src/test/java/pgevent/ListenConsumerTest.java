package pgevent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import pgevent.Listening.Heard;

@Timeout(60)
class ListenConsumerTest {
    private static final Duration SOON = Duration.ofSeconds(5);

    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.empty();

    @Test
    void notificationArrivesWithItsChannelAndPayload() throws Exception {
        try (Listening listening = up("&channels=agent_wake,Mixed_Case")) {
            listening.send(listening.name, "1:reviews");
            listening.send("agent_wake", "");
            listening.send("Mixed_Case", "höher ✓");
            listening.send("mixed_case", "another channel");
            listening.send(listening.name, "last");

            listening.awaitHeard(SOON, new Heard(listening.name, "last"));

            assertThat(listening.heard)
                    .containsExactly(
                            Heard.wake("connected"),
                            new Heard(listening.name, "1:reviews"),
                            new Heard("agent_wake", ""),
                            new Heard("Mixed_Case", "höher ✓"),
                            new Heard(listening.name, "last"));
        }
    }

    @Test
    void stockUriListensToo() throws Exception {
        String uri = "pgevent://127.0.0.1:%d/%s/stock?user=postgres&pass=RAW(a/b)"
                .formatted(DATABASE.port(), DATABASE.name());
        try (StockRoute stock = new StockRoute(uri)) {
            await().untilAsserted(() -> assertThat(stock.bodies()).containsExactly("connected"));

            DATABASE.query("SELECT pg_notify('stock', 'heard')");

            await().untilAsserted(() -> assertThat(stock.bodies()).containsExactly("connected", "heard"));
        }
    }

    @Test
    void slowRouteDoesNotBlockTheReader() throws Exception {
        try (Listening listening = up("")) {
            CountDownLatch release = new CountDownLatch(1);
            listening.then(exchange -> release.await());
            listening.send(listening.name, "first");
            listening.awaitHeard(SOON, new Heard(listening.name, "first"));

            // more than the sockets between server and listener hold: a reader that waits would leave it in the server
            DATABASE.execute(
                    "SELECT pg_notify(?, repeat('x', 7000) || i) FROM generate_series(1, 2000) i", listening.name);

            await().untilAsserted(() -> assertThat(unreadByListeners()).isZero());
            assertThat(listening.heard).hasSize(2);
            release.countDown();
            listening.awaitHeard(SOON, Heard.wake("overflow"));
            listening.assertHearsEverythingOnce();
        }
    }

    @Test
    void repeatedNotificationsOfABusyQueueAreHandedOverOnce() throws Exception {
        try (Listening listening = up("")) {
            CountDownLatch release = new CountDownLatch(1);
            listening.then(exchange -> release.await());
            listening.send(listening.name, "first");
            listening.awaitHeard(SOON, new Heard(listening.name, "first"));

            for (int i = 0; i < 20; i++) {
                listening.send(listening.name, "1:reviews");
            }
            listening.send(listening.name, "last");
            await().untilAsserted(
                            () -> assertThat(listening.consumer().waiting()).isEqualTo(2));
            release.countDown();
            listening.awaitHeard(SOON, new Heard(listening.name, "last"));

            assertThat(listening.heard)
                    .containsOnlyOnce(new Heard(listening.name, "1:reviews"))
                    .doesNotContain(Heard.wake("overflow"));
        }
    }

    @Test
    void uncoalescedChannelIsHandedOverInOrderWithEveryRepetition() throws Exception {
        try (Listening listening = up("&channels=access&uncoalesced=access")) {
            CountDownLatch release = new CountDownLatch(1);
            listening.then(exchange -> release.await());
            listening.send(listening.name, "first");
            listening.awaitHeard(SOON, new Heard(listening.name, "first"));

            List<String> changes = List.of("revoke 7", "grant 7", "revoke 7", "last");
            changes.forEach(change -> listening.send("access", change));
            release.countDown();
            listening.awaitHeard(SOON, new Heard("access", "last"));

            assertThat(listening.heard.stream().filter(each -> each.channel().equals("access")))
                    .extracting(Heard::body)
                    .containsExactlyElementsOf(changes);
        }
    }

    @Test
    void failingOrInterruptedRouteDoesNotEndTheListening() throws Exception {
        try (Listening listening = up("")) {
            listening.then(exchange -> {
                Thread.currentThread().interrupt();
                throw new AssertionError("a route that fails");
            });
            listening.send(listening.name, "one");
            listening.send(listening.name, "two");
            listening.awaitHeard(SOON, new Heard(listening.name, "one"), new Heard(listening.name, "two"));
            listening.then(exchange ->
                    assertThat(Thread.currentThread().isInterrupted()).isFalse());

            listening.assertHearsEverythingOnce();
        }
    }

    @Test
    void exceptionHandlerThatFailsDoesNotEndTheListening() throws Exception {
        try (Listening listening = up("&exceptionHandler=#throwing")) {
            listening.then(exchange -> {
                throw new AssertionError("a route that fails");
            });
            listening.send(listening.name, "one");
            listening.awaitHeard(SOON, new Heard(listening.name, "one"));
            listening.then(exchange -> {});

            listening.assertHearsEverythingOnce();
        }
    }

    @Test
    void stoppedRouteLeavesNeitherSessionNorThreadAndStartsAgain() throws Exception {
        try (Listening listening = up("")) {
            for (int i = 0; i < 3; i++) {
                listening.stopRoute();
                assertThat(listening.threads()).isEmpty();
                await().untilAsserted(() -> assertThat(listening.sessions()).isZero());
                listening.heard.clear();

                listening.startRoute();
                listening.awaitHeard(SOON, Heard.wake("connected"));
                listening.assertHearsEverythingOnce();
            }
        }
    }

    @Test
    void suspendedRouteHearsNothingAndIsWokenWhenItResumes() throws Exception {
        try (Listening listening = up("")) {
            listening.suspendRoute();
            assertThat(listening.threads()).isEmpty();
            await().untilAsserted(() -> assertThat(listening.sessions()).isZero());
            listening.heard.clear();
            listening.send(listening.name, "missed");

            listening.resumeRoute();

            listening.awaitHeard(SOON, Heard.wake("connected"));
            listening.assertHearsEverythingOnce();
            assertThat(listening.heard).doesNotContain(new Heard(listening.name, "missed"));
        }
    }

    @Test
    void contextStopsQuicklyAndLeavesNothing() throws Exception {
        Listening listening = up("");
        long start = System.nanoTime();

        listening.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
        assertThat(listening.threads()).isEmpty();
        await().untilAsserted(() -> assertThat(listening.sessions()).isZero());
    }

    @Test
    void routeMayStopItself() throws Exception {
        try (Listening listening = up("")) {
            listening.then(exchange -> listening.consumer().stop());

            listening.send(listening.name, "stop");

            await().untilAsserted(() -> assertThat(listening.threads()).isEmpty());
            await().untilAsserted(() -> assertThat(listening.sessions()).isZero());
        }
    }

    private Listening up(String options) throws Exception {
        return Listening.upOn(DATABASE, DATABASE.jdbcUrl(), options);
    }

    /** How much of the server's notification queue, shared by all its databases, no listener has fetched yet. */
    private double unreadByListeners() {
        return (double) DATABASE.value("SELECT pg_notification_queue_usage()");
    }
}
