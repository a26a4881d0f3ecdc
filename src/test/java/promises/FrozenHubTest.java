package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.Answer;
import fixtures.Deliveries;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.HubProcess;
import hub.Hub;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A hub that freezes in the middle of an intake transaction holds the keys of its deliveries, and nobody else up. */
@Timeout(120)
class FrozenHubTest {
    @AutoClose
    private static final DurableDatabase DATABASE = DurableDatabase.create();

    @TempDir
    private Path folder;

    @Test
    void otherHubGoesOnAndNothingIsDoubledAfterTheThaw() {
        try (Hub other = Hub.start(HubHome.in(folder.resolve("other"))
                        .database(DATABASE.url())
                        .config());
                HubProcess frozen =
                        HubProcess.started(HubHome.in(folder.resolve("frozen")).database(DATABASE.url()))) {
            pauseInsideTheTransactionOf("held");
            Deliveries held = Deliveries.signedBy("github").withId("held");
            CompletableFuture<Answer> first = held.startTo(frozen.uri());
            await().atMost(Duration.ofSeconds(10)).until(() -> backends("wait_event = 'PgSleep'") == 1);
            frozen.freeze();
            DATABASE.execute("DELETE FROM pauses");
            await().atMost(Duration.ofSeconds(10)).until(() -> backends("state = 'idle in transaction'") == 1);

            long begun = System.nanoTime();
            CompletableFuture<Answer> second = held.startTo(other.uri());
            for (int i = 0; i < 20; i++) {
                assertThat(Deliveries.signedBy("github")
                                .withId("free-" + i)
                                .sendTo(other.uri())
                                .status())
                        .isEqualTo(202);
            }
            Answer answer = second.join();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(3));
            assertThat(answer.status()).isIn(202, 503);
            assertThat(first).isNotDone();

            frozen.thaw();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> held.sendTo(other.uri()).accepted() && first.isDone());
            assertThat(held.sendTo(frozen.uri()).status()).isEqualTo(200);
            assertThat(DATABASE.count("SELECT count(*) FROM events WHERE external_id = 'held'"))
                    .isEqualTo(1);
            assertThat(DATABASE.count("SELECT count(*) FROM events")).isEqualTo(21);
            assertThat(DATABASE.count("SELECT count(*) FROM todos")).isEqualTo(21);
        }
    }

    /** A transaction that inserts this delivery pauses for two seconds: time to freeze the hub that waits for it. */
    private static void pauseInsideTheTransactionOf(String id) {
        DATABASE.execute("CREATE TABLE pauses (external_id text)");
        DATABASE.execute("INSERT INTO pauses VALUES (?)", id);
        DATABASE.execute("""
                CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                  IF EXISTS (SELECT FROM pauses p WHERE p.external_id = NEW.external_id) THEN
                    PERFORM pg_sleep(2);
                  END IF;
                  RETURN NEW;
                END $$""");
        DATABASE.execute("CREATE TRIGGER pause AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION pause()");
    }

    private static long backends(String condition) {
        return DATABASE.count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND "
                + "application_name = 'switchboard' AND " + condition);
    }
}
