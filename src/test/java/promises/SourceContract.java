package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.CommitLink;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.HubProcess;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every kind of source may rely on: an acknowledgement means that the event and its todos are committed, and what was
 * not acknowledged may be offered again without harm. The hub is a process of its own, behind a link that can be cut.
 */
abstract class SourceContract {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration A_WHILE = Duration.ofMillis(500);

    private final House house;
    private final Source source;
    private final String id = UUID.randomUUID().toString();

    /** Where the hub of all sources lives; it moves to another port when it is started again. */
    static final class House implements AutoCloseable {
        final DurableDatabase database = DurableDatabase.create();
        final CommitLink link = CommitLink.to(database.port());
        final HubHome home;
        private HubProcess hub;

        House(HubHome home) {
            this.home = home.database(database.url(link.port()));
            this.hub = HubProcess.started(this.home);
            database.execute("CREATE TABLE commit_fate (fate text)");
            database.execute("CREATE SEQUENCE spoiled_commits");
            database.execute("""
                    CREATE FUNCTION spoil_commit() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                      IF EXISTS (SELECT FROM commit_fate WHERE fate = 'fail') THEN
                        -- a sequence remembers what a rolled-back transaction did
                        PERFORM nextval('spoiled_commits');
                        RAISE EXCEPTION 'no commit today';
                      ELSIF EXISTS (SELECT FROM commit_fate WHERE fate = 'die') THEN
                        PERFORM nextval('spoiled_commits');
                        PERFORM pg_terminate_backend(pg_backend_pid());
                        PERFORM pg_sleep(5);
                      END IF;
                      RETURN NULL;
                    END $$""");
            database.execute("CREATE CONSTRAINT TRIGGER spoil_commit AFTER INSERT ON events"
                    + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION spoil_commit()");
        }

        URI uri() {
            return hub.uri();
        }

        void kill9() {
            hub.kill9();
        }

        void startAgain() {
            hub = HubProcess.started(home);
        }

        /** How often the hub said so. */
        long failuresToStore() {
            return hub.log()
                    .lines()
                    .filter(line -> line.contains("deliveries not stored"))
                    .count();
        }

        void spoilCommits(String fate) {
            database.execute("ALTER SEQUENCE spoiled_commits RESTART");
            database.execute("INSERT INTO commit_fate VALUES (?)", fate);
        }

        boolean spoiledOne() {
            return (boolean) database.value("SELECT is_called FROM spoiled_commits");
        }

        void letCommit() {
            database.execute("DELETE FROM commit_fate");
        }

        @Override
        public void close() {
            hub.close();
            link.close();
            database.close();
        }
    }

    SourceContract(House house, Source source) {
        this.house = house;
        this.source = source;
    }

    @AfterEach
    void allIsWellAgain() {
        house.letCommit();
        house.link.mend();
        if (!house.hub.isAlive()) {
            house.startAgain();
        }
    }

    @Test
    void deliveryIsAcceptedOnce() {
        source.offer(id);

        awaitAcknowledged();
        assertThat(events()).isEqualTo(1);
        assertThat(todos()).isEqualTo(1);
    }

    @Test
    void secondCopyInsertsNothingAndIsAcknowledged() {
        source.offer(id);
        awaitAcknowledged();

        source.offer(id);

        awaitAcknowledged();
        await().atMost(PATIENCE).until(() -> duplicates() == 1);
        assertThat(events()).isEqualTo(1);
        assertThat(todos()).isEqualTo(1);
    }

    @Test
    void unacceptableDeliveryIsRefusedAndNothingOfItStored() {
        source.offerUnacceptable(id);

        await().atMost(PATIENCE).until(() -> source.refused(id));
        assertThat(source.acknowledged(id)).isFalse();
        assertThat(events()).isZero();
        assertThat(todos()).isZero();
    }

    @Test
    void deliveryIsNotAcknowledgedWhenCommitFails() {
        assertNotAcknowledgedWhenCommitIsSpoiled("fail");
    }

    @Test
    void deliveryIsNotAcknowledgedWhenItsBackendDiesAtCommit() {
        assertNotAcknowledgedWhenCommitIsSpoiled("die");
    }

    private void assertNotAcknowledgedWhenCommitIsSpoiled(String fate) {
        house.spoilCommits(fate);

        source.offer(id);

        await().atMost(PATIENCE).until(house::spoiledOne);
        assertNotAcknowledgedForAWhile();
        assertThat(events()).isZero();
        assertThat(todos()).isZero();
        house.letCommit();
        assertAcceptedAtLast();
    }

    @Test
    void deliveryIsNotAcknowledgedWhileTheDatabaseIsAway() {
        house.link.cut();
        long failuresBefore = house.failuresToStore();

        source.offer(id);

        await().atMost(PATIENCE).until(() -> house.failuresToStore() > failuresBefore);
        assertNotAcknowledgedForAWhile();
        assertThat(events()).isZero();
        house.link.mend();
        assertAcceptedAtLast();
    }

    @Test
    void deliveryIsRecognisedAfterACrashBetweenItsCommitAndItsAcknowledgement() {
        house.link.loseNextCommit(CommitLink.Moment.AFTER, house::kill9);

        source.offer(id);

        await().atMost(PATIENCE).until(house.link::lostOne);
        assertNotAcknowledgedForAWhile();
        assertThat(events()).isEqualTo(1);
        house.startAgain();
        assertAcceptedAtLast();
        assertThat(duplicates()).isEqualTo(1);
    }

    private void awaitAcknowledged() {
        await().atMost(PATIENCE).until(() -> source.acknowledged(id));
    }

    private void assertNotAcknowledgedForAWhile() {
        await().during(A_WHILE).atMost(PATIENCE).until(() -> !source.acknowledged(id));
        assertThat(source.refused(id)).isFalse();
    }

    private void assertAcceptedAtLast() {
        await().atMost(PATIENCE).until(() -> {
            source.retry(id);
            return source.acknowledged(id);
        });
        assertThat(events()).isEqualTo(1);
        assertThat(todos()).isEqualTo(1);
    }

    private long events() {
        return house.database.count(
                "SELECT count(*) FROM events WHERE source = ? AND external_id = ?", source.name(), identity());
    }

    private long todos() {
        return house.database.count(
                "SELECT count(*) FROM todos t JOIN events e ON e.id = t.event_id WHERE e.source = ? AND e.external_id = ?",
                source.name(),
                identity());
    }

    private long duplicates() {
        return house.database.count(
                "SELECT duplicates FROM event_keys WHERE source = ? AND external_id = ?", source.name(), identity());
    }

    private String identity() {
        return source.identity(id);
    }
}
