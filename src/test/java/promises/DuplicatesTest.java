package promises;

import static org.assertj.core.api.Assertions.assertThat;

import fixtures.Answer;
import fixtures.Deliveries;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import hub.Hub;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A delivery with an identity becomes one event and one set of todos, however often it is sent, also when copies race. */
@Timeout(120)
class DuplicatesTest {
    private static final int COPIES = 50;

    @TempDir
    private static Path folder;

    @AutoClose
    private static final DurableDatabase DATABASE = DurableDatabase.create();

    private static Hub one;
    private static Hub other;

    @BeforeAll
    static void startTwoHubsOnOneDatabase() {
        one = Hub.start(
                HubHome.in(folder.resolve("one")).database(DATABASE.url()).config());
        other = Hub.start(
                HubHome.in(folder.resolve("other")).database(DATABASE.url()).config());
    }

    @AfterAll
    static void stopBoth() {
        one.close();
        other.close();
    }

    static List<Deliveries> deliveries() {
        return List.of(
                Deliveries.signedBy("github").withId("raced"),
                Deliveries.withTokenFor("homelab").withId("raced"));
    }

    @ParameterizedTest
    @MethodSource("deliveries")
    void fiftyParallelCopiesOverTwoHubsBecomeOneEvent(Deliveries delivery) {
        DATABASE.execute("TRUNCATE events, event_keys, todos");

        List<Answer> answers = sendAtOnce(IntStream.range(0, COPIES)
                .mapToObj(i -> delivery.startTo((i % 2 == 0 ? one : other).uri()))
                .toList());

        assertThat(answers).extracting(Answer::accepted).containsOnly(true);
        assertThat(answers).filteredOn(answer -> answer.status() == 202).hasSize(1);
        assertThat(answers)
                .extracting(Answer::eventId)
                .containsOnly(answers.get(0).eventId());
        assertThat(DATABASE.count("SELECT count(*) FROM events")).isEqualTo(1);
        assertThat(DATABASE.count("SELECT count(*) FROM todos")).isEqualTo(1);
        assertThat(DATABASE.value("SELECT duplicates FROM event_keys")).isEqualTo(COPIES - 1);
    }

    @Test
    void copiesWithoutIdentityAreDeliveriesOfTheirOwn() {
        DATABASE.execute("TRUNCATE events, event_keys, todos");

        List<Answer> answers = sendAtOnce(IntStream.range(0, COPIES)
                .mapToObj(i -> Deliveries.signedBy("github").startTo((i % 2 == 0 ? one : other).uri()))
                .toList());

        assertThat(answers).extracting(Answer::status).containsOnly(202);
        assertThat(answers).extracting(Answer::eventId).doesNotHaveDuplicates();
        assertThat(DATABASE.count("SELECT count(*) FROM events")).isEqualTo(COPIES);
        assertThat(DATABASE.count("SELECT count(*) FROM todos")).isEqualTo(COPIES);
    }

    private static List<Answer> sendAtOnce(List<CompletableFuture<Answer>> sent) {
        return sent.stream().map(CompletableFuture::join).toList();
    }
}
