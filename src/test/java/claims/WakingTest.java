package claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import claims.TestDesk.Ask;
import claims.TestDesk.Draft;
import fixtures.TestDatabase;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From a commit anywhere to whoever waits here, over the real listener; the re-poll is a minute away. */
class WakingTest {
    @AutoClose
    private static final TestDatabase database = TestDatabase.create();

    private TestDesk desk;

    @BeforeEach
    void open() throws Exception {
        database.execute("TRUNCATE events, todos, todo_attempts, queues");
        desk = TestDesk.listening(database);
    }

    @AfterEach
    void close() {
        desk.close();
    }

    @Test
    void committedTodoWakesWhoWaitsForItsQueueAndNobodyElse() {
        ParkedClaim waiter = desk.parks(Ask.of("reviews: mine").waiting());
        ParkedClaim other = desk.parks(Ask.of("other").waiting());
        ParkedClaim anywhere = desk.parks(Ask.ofAnyQueue().waiting());
        awaitParked(3);

        UUID first = desk.todo("reviews: mine");
        UUID second = desk.todo("reviews: mine");

        assertThat(TestDesk.todos(waiter)).extracting(todo -> todo.id()).isSubsetOf(first, second);
        assertThat(TestDesk.todos(anywhere)).extracting(todo -> todo.id()).isSubsetOf(first, second);
        assertThat(other.answer()).isNotDone();
    }

    @Test
    void todoInsertedWhileTheListenerWasAwayIsClaimedWithinASecondOfItsReturn() {
        ParkedClaim waiter = desk.parks(Ask.of("reviews").waiting());
        awaitOldWakes();
        UUID id = UUID.randomUUID();

        // nobody hears of this one: it is not announced
        database.execute("INSERT INTO todos (id, account_id, queue, source) VALUES (?, 1, 'reviews', 's')", id);
        await().during(Duration.ofMillis(300)).until(() -> !waiter.answer().isDone());
        assertThat(database.query(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                + " WHERE datname = current_database() AND application_name = ?",
                        TestDesk.LISTENER))
                .hasSize(1);

        await().atMost(Duration.ofSeconds(5)).until(() -> waiter.answer().isDone());
        assertThat(TestDesk.todos(waiter)).extracting(todo -> todo.id()).containsExactly(id);
    }

    @Test
    void promotedTodoWakesAParkedWaiter() throws Exception {
        ParkedClaim waiter = desk.parks(Ask.of("reviews").waiting());
        UUID id = TestDesk.now(desk.todos.create(
                        Draft.on("reviews").readyAt("2999-01-01T00:00:00Z").build()))
                .todo()
                .id();
        database.execute("UPDATE todos SET ready_at = now()");

        desk.sweeps.promote();

        assertThat(TestDesk.todos(waiter)).extracting(todo -> todo.id()).containsExactly(id);
    }

    /** Wakes are handed on in order, so behind this one there is none of the listener's first connection left. */
    private void awaitOldWakes() {
        ParkedClaim last = desk.parks(Ask.of("last").waiting());
        // both have looked, so that only a wake can serve the last one
        await().until(() -> desk.desk.numbers().statements() >= 2);
        desk.todo("last");
        TestDesk.now(last.answer());
    }

    private void awaitParked(int claims) {
        await().until(() ->
                desk.desk.numbers().parked() == claims && desk.desk.numbers().statements() > 0);
    }
}
