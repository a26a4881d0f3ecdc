package pgevent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.DatabaseLink;
import fixtures.StoppablePostgres;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import pgevent.Listening.Heard;

/** What a listener goes through in its life; after each of it one session listens and everything is heard once. */
@Timeout(180)
class SurvivalTest {
    private static final Heard RECONNECTED = Heard.wake("reconnected");

    @AutoClose
    private static final StoppablePostgres POSTGRES = StoppablePostgres.stopped();

    @AutoClose
    private final DatabaseLink link = DatabaseLink.to(POSTGRES.port());

    @AutoClose
    private final LogLines log = LogLines.of("pgevent");

    @BeforeAll
    static void startServer() {
        POSTGRES.start();
    }

    @AfterEach
    void logIsQuiet() {
        assertThat(log.mostInOneSecond()).isLessThanOrEqualTo(1);
    }

    @Test
    void notificationMissedDuringAnOutageIsMadeGoodByOneWake() throws Exception {
        try (Listening listening = Listening.upOn(POSTGRES, link.jdbcUrl("postgres"), "")) {
            link.cut();
            await().until(() -> !listening.consumer().isUp());
            listening.send(listening.name, "missed");
            assertThat(listening.heard).containsExactly(Heard.wake("connected"));

            link.mend();

            listening.awaitHeard(Duration.ofSeconds(3), RECONNECTED);
            listening.assertHearsEverythingOnce();
            assertThat(listening.heard)
                    .containsOnlyOnce(RECONNECTED)
                    .doesNotContain(new Heard(listening.name, "missed"));
        }
    }

    @Test
    void listenerKilledTenTimesInARowIsBackWithinASecondEachTime() throws Exception {
        killedInARow(10);
    }

    @Test
    @Tag("soak")
    @Timeout(900)
    void listenerKilledFiveHundredTimesInARowIsBackWithinASecondEachTime() throws Exception {
        killedInARow(500);
    }

    @Test
    void waitersWakeWithinThreeSecondsOfTheServersReturn() throws Exception {
        serverIsAwayFor(Duration.ofSeconds(3));
    }

    @Test
    @Tag("soak")
    void waitersWakeWithinThreeSecondsOfTheServersReturnAfterAMinute() throws Exception {
        serverIsAwayFor(Duration.ofSeconds(60));
    }

    @Test
    void crashOfTheServerIsSurvived() throws Exception {
        try (Listening listening = Listening.upOn(POSTGRES, POSTGRES.jdbcUrl(), "")) {
            POSTGRES.kill9();
            POSTGRES.start();

            listening.awaitHeard(Duration.ofSeconds(3), RECONNECTED);
            listening.assertHearsEverythingOnce();
        }
    }

    @Test
    void frozenBackendIsNoticedWithinFifteenSeconds() throws Exception {
        try (Listening listening = Listening.upOn(POSTGRES, POSTGRES.jdbcUrl(), "")) {
            int frozen = listening.backend();
            POSTGRES.freeze(frozen);

            listening.awaitHeard(Duration.ofSeconds(15), RECONNECTED);

            POSTGRES.thaw(frozen);
            listening.assertHearsEverythingOnce();
        }
    }

    @Test
    void halfOpenConnectionIsNoticedWithinFifteenSecondsThoughNothingAnswersMeanwhile() throws Exception {
        try (Listening listening = Listening.upOn(POSTGRES, link.jdbcUrl("postgres"), "")) {
            link.hang();

            await().atMost(Duration.ofSeconds(15))
                    .until(() -> !listening.consumer().isUp());
            // its new connections hang in the handshake: the wait for that has an end, too
            await().atMost(Duration.ofSeconds(15))
                    .untilAsserted(() -> assertThat(log.count("listener lost")).isGreaterThan(1));
            link.mend();

            listening.awaitHeard(Duration.ofSeconds(10), RECONNECTED);
            listening.assertHearsEverythingOnce();
        }
    }

    @Test
    void startSucceedsWhileTheServerIsDown() throws Exception {
        POSTGRES.stop();
        long start = System.nanoTime();
        try (Listening listening = Listening.to(POSTGRES, POSTGRES.jdbcUrl(), "")) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
            assertThat(listening.consumer().isUp()).isFalse();
            await().untilAsserted(() -> assertThat(log.count("listener lost")).isPositive());
            assertThat(listening.heard).isEmpty();

            POSTGRES.start();

            listening.awaitHeard(Duration.ofSeconds(3), Heard.wake("connected"));
            listening.assertHearsEverythingOnce();
        } finally {
            POSTGRES.start();
        }
    }

    @Test
    void contextStopsQuicklyWhileTheServerIsDown() throws Exception {
        POSTGRES.stop();
        try {
            Listening listening = Listening.to(POSTGRES, POSTGRES.jdbcUrl(), "");
            await().untilAsserted(() -> assertThat(log.count("listener lost")).isPositive());
            long start = System.nanoTime();

            listening.close();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
            assertThat(listening.threads()).isEmpty();
        } finally {
            POSTGRES.start();
        }
    }

    @Test
    void listenerBehindATransactionPoolerKnowsThatItIsDeafAndSaysSoOnce() throws Exception {
        link.loseNotificationsBetweenStatements();
        try (Listening listening = Listening.to(POSTGRES, link.jdbcUrl("postgres"), "")) {
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> listening.consumer().isDeaf());
            assertThat(listening.consumer().isUp()).isFalse();
            listening.send(listening.name, "lost");
            int first = listening.backend();
            POSTGRES.execute("SELECT pg_terminate_backend(?)", first);
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> listening.heard.contains(RECONNECTED)
                            && listening.consumer().isDeaf());

            assertThat(log.count("listener is deaf")).isEqualTo(1);
            assertThat(listening.heard).containsExactly(Heard.wake("connected"), RECONNECTED);

            link.mend();
            link.cut();
            link.mend();
            listening.assertHearsEverythingOnce();
            assertThat(listening.consumer().isDeaf()).isFalse();
        }
    }

    @Test
    void listenerThatGetsNoSecondSessionListensAndIsNotCalledUp() throws Exception {
        POSTGRES.execute("CREATE ROLE single LOGIN CONNECTION LIMIT 1");
        try (Listening listening = Listening.to(POSTGRES, POSTGRES.jdbcUrl() + "?user=single", "")) {
            listening.awaitHeard(Duration.ofSeconds(5), Heard.wake("connected"));
            await().untilAsserted(() ->
                    assertThat(log.count("cannot prove that it hears")).isPositive());

            listening.send(listening.name, "heard");

            listening.awaitHeard(Duration.ofSeconds(5), new Heard(listening.name, "heard"));
            assertThat(listening.consumer().isUp()).isFalse();
            assertThat(listening.consumer().isDeaf()).isFalse();
        }
    }

    private void killedInARow(int times) throws Exception {
        try (Listening listening = Listening.upOn(POSTGRES, POSTGRES.jdbcUrl(), "&channels=agent_wake")) {
            int backend = 0;
            for (int i = 0; i < times; i++) {
                backend = listening.backendOtherThan(backend);
                listening.heard.clear();
                POSTGRES.execute("SELECT pg_terminate_backend(?)", backend);

                listening.awaitHeard(Duration.ofSeconds(1), RECONNECTED);
            }

            listening.assertHearsEverythingOnce();
        }
    }

    private void serverIsAwayFor(Duration outage) throws Exception {
        try (Listening listening = Listening.upOn(POSTGRES, POSTGRES.jdbcUrl(), "")) {
            POSTGRES.stop();
            try {
                await().until(() -> !listening.consumer().isUp());
                await().pollDelay(outage)
                        .atMost(outage.plusSeconds(5))
                        .until(() -> !listening.consumer().isUp());
            } finally {
                POSTGRES.start();
            }

            listening.awaitHeard(Duration.ofSeconds(3), RECONNECTED);
            listening.assertHearsEverythingOnce();
            assertThat(listening.heard).containsOnlyOnce(RECONNECTED);
        }
    }
}
