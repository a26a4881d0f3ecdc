package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import fixtures.Answer;
import fixtures.CommitLink;
import fixtures.CommitLink.Moment;
import fixtures.Deliveries;
import fixtures.HubHome;
import fixtures.StoppablePostgres;
import hub.Hub;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The connection is lost in COMMIT: the answer tells what really happened. */
@Timeout(120)
class LostCommitTest {
    @AutoClose
    private static final StoppablePostgres POSTGRES = StoppablePostgres.started();

    @AutoClose
    private static final CommitLink LINK = CommitLink.to(POSTGRES.port());

    @TempDir
    private static Path folder;

    private static Hub hub;
    private static Duration recovery;

    @BeforeAll
    static void startHub() {
        // recovery syncs every file of a new data directory, once: done here, it is over within a sender's patience
        // later
        crashAndRecover();
        hub = Hub.start(HubHome.in(folder).database(urlThroughLink()).config());
    }

    @AfterAll
    static void stopHub() {
        hub.close();
    }

    private static String urlThroughLink() {
        return "postgres://%s:%s@127.0.0.1:%d/postgres?sslmode=disable"
                .formatted(POSTGRES.user(), POSTGRES.password(), LINK.port());
    }

    @BeforeEach
    void startEmpty() {
        LINK.mend();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> Answer.toGet(uri().resolve("/health/ready")).status() == 200);
        POSTGRES.execute("TRUNCATE events, event_keys, todos");
    }

    static Stream<Deliveries> deliveries() {
        return Stream.of(Deliveries.signedBy("github").withId("lost"), Deliveries.withTokenFor("homelab"));
    }

    private static URI uri() {
        return hub.uri();
    }

    @ParameterizedTest
    @MethodSource("deliveries")
    void deliveryIsAcceptedOnceWhenOnlyTheAnswerToCommitWasLost(Deliveries delivery) {
        LINK.loseNextCommit(Moment.AFTER, () -> {});

        Answer answer = delivery.sendTo(uri());

        assertThat(LINK.lostOne()).isTrue();
        assertThat(answer.status()).isEqualTo(202);
        assertStoredOnce(answer);
    }

    @ParameterizedTest
    @MethodSource("deliveries")
    void deliveryIsWrittenAgainWhenItsCommitNeverArrived(Deliveries delivery) {
        LINK.loseNextCommit(Moment.BEFORE, () -> {});

        Answer answer = delivery.sendTo(uri());

        assertThat(LINK.lostOne()).isTrue();
        assertThat(answer.status()).isEqualTo(202);
        assertStoredOnce(answer);
    }

    @ParameterizedTest
    @MethodSource("deliveries")
    void deliveryIsWrittenAgainWhenTheServerDiedBeforeItsCommit(Deliveries delivery) {
        LINK.loseNextCommit(Moment.BEFORE, LostCommitTest::crashAndRecover);

        Answer answer = delivery.sendTo(uri());

        assertThat(LINK.lostOne()).isTrue();
        assertThat(POSTGRES.count("SELECT count(*) FROM events")).isLessThanOrEqualTo(1);
        assumeThatRecoveryWasOverBeforeTheDeadline();
        assertThat(answer.status()).isEqualTo(202);
        assertStoredOnce(answer);
    }

    @ParameterizedTest
    @MethodSource("deliveries")
    void deliveryIsAcceptedOnceWhenTheServerDiedAfterItsCommit(Deliveries delivery) {
        LINK.loseNextCommit(Moment.AFTER, LostCommitTest::crashAndRecover);

        Answer answer = delivery.sendTo(uri());

        assertThat(LINK.lostOne()).isTrue();
        assertThat(POSTGRES.count("SELECT count(*) FROM events")).isLessThanOrEqualTo(1);
        assumeThatRecoveryWasOverBeforeTheDeadline();
        assertThat(answer.status()).isEqualTo(202);
        assertStoredOnce(answer);
    }

    private static void crashAndRecover() {
        long begun = System.nanoTime();
        POSTGRES.kill9();
        POSTGRES.start();
        recovery = Duration.ofNanos(System.nanoTime() - begun);
    }

    /** On a machine that is too busy the hub's word is "unknown", and says nothing about this case. */
    private static void assumeThatRecoveryWasOverBeforeTheDeadline() {
        assumeThat(recovery).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void deliveryIsRefusedAsUnknownWhenTheDatabaseStaysAwayUntilTheDeadlineAndRecognisedLater() {
        Deliveries delivery = Deliveries.signedBy("github").withId("unknown");
        LINK.loseNextCommit(Moment.AFTER, LINK::cut);

        Answer answer = delivery.sendTo(uri());

        assertUnknown(answer);
        LINK.mend();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> delivery.sendTo(uri()).status() == 200);
        assertThat(POSTGRES.count("SELECT count(*) FROM events")).isEqualTo(1);
    }

    @Test
    @Tag("soak")
    void deliveryWithoutIdentityIsRefusedAsUnknownWhenTheDatabaseStaysAwayUntilTheDeadline() {
        LINK.loseNextCommit(Moment.AFTER, LINK::cut);

        Answer answer = Deliveries.withTokenFor("homelab").sendTo(uri());

        assertUnknown(answer);
    }

    private static void assertUnknown(Answer answer) {
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("commit_unknown");
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        // it was committed: the word is "unknown", not "not stored"
        assertThat(POSTGRES.count("SELECT count(*) FROM events")).isEqualTo(1);
    }

    private static void assertStoredOnce(Answer answer) {
        assertThat(POSTGRES.query("SELECT id FROM events"))
                .singleElement()
                .satisfies(event -> assertThat(event).containsEntry("id", answer.eventId()));
        assertThat(POSTGRES.query("SELECT event_id FROM todos"))
                .singleElement()
                .satisfies(todo -> assertThat(todo).containsEntry("event_id", answer.eventId()));
    }
}
