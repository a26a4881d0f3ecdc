package claims;

import static claims.TestDesk.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import claims.TestDesk.Ask;
import claims.TestDesk.Draft;
import fixtures.TestDatabase;
import java.time.Duration;
import java.util.UUID;
import net.Proxies;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import routes.FrontDoor;
import routes.Health;
import routes.PromoterRoute;
import routes.ReaperRoute;

/** What time does to todos: leases lapse, waits end. */
class SweepsTest {
    @AutoClose
    private static final TestDatabase database = TestDatabase.create();

    private TestDesk desk;

    @BeforeEach
    void open() throws Exception {
        database.execute("TRUNCATE events, todos, todo_attempts, queues");
        desk = new TestDesk(database, database.pool());
    }

    @AfterEach
    void close() {
        desk.close();
    }

    @Test
    void lapsedTodoGoesBackToItsPlaceAndIsCharged() throws Exception {
        UUID id = desk.todo("reviews");
        desk.claims(Ask.of("reviews").as("ada"));
        desk.lapse(id);

        Sweeps.Swept swept = desk.sweeps.reap();

        assertThat(swept).isEqualTo(new Sweeps.Swept(1, 0, 0));
        assertThat(database.query("SELECT state, due, owner, worker, failures, attempt, last_outcome FROM todos"))
                .singleElement()
                .satisfies(todo -> assertThat(todo)
                        .containsEntry("state", "pending")
                        .containsEntry("due", true)
                        .containsEntry("owner", null)
                        .containsEntry("worker", null)
                        .containsEntry("failures", 1)
                        .containsEntry("attempt", 1)
                        .containsEntry("last_outcome", "lease_expired"));
        assertThat(database.query("SELECT * FROM todo_attempts"))
                .singleElement()
                .satisfies(ended -> assertThat(ended)
                        .containsEntry("todo_id", id)
                        .containsEntry("worker", "ada")
                        .containsEntry("outcome", "lease_expired"));
    }

    @Test
    void lapseAtTheCapIsTheEnd() throws Exception {
        UUID id = now(desk.todos.create(Draft.on("reviews").maxAttempts(1).build()))
                .todo()
                .id();
        desk.claimsOne("reviews");
        desk.lapse(id);

        assertThat(desk.sweeps.reap()).isEqualTo(new Sweeps.Swept(0, 1, 0));

        assertThat(database.query("SELECT state, failed_reason, owner FROM todos"))
                .singleElement()
                .satisfies(todo -> assertThat(todo)
                        .containsEntry("state", "failed")
                        .containsEntry("failed_reason", "lease_expired")
                        .containsEntry("owner", "operator"));
    }

    @Test
    void liveLeasesAreLeftAlone() throws Exception {
        desk.todo("reviews");
        desk.claimsOne("reviews");

        assertThat(desk.sweeps.reap()).isEqualTo(new Sweeps.Swept(0, 0, 0));
    }

    @Test
    void reaperStepsOverATodoThatSomebodyHoldsLocked() throws Exception {
        UUID locked = desk.todo("reviews");
        desk.claimsOne("reviews");
        desk.lapse(locked);
        UUID free = desk.todo("reviews");
        desk.claimsOne("reviews");
        desk.lapse(free);

        try (var connection = database.unpooled().getConnection()) {
            connection.setAutoCommit(false);
            try (var statement = connection.prepareStatement("SELECT id FROM todos WHERE id = ? FOR UPDATE")) {
                statement.setObject(1, locked);
                statement.executeQuery();

                assertThat(desk.sweeps.reap().requeued()).isEqualTo(1);
            }
        }
        assertThat(desk.state(locked)).isEqualTo("claimed");
        assertThat(desk.state(free)).isEqualTo("pending");
    }

    @Test
    void moreThanOneBatchIsSweptInOneRun() throws Exception {
        database.execute("INSERT INTO todos (id, account_id, queue, source, due, ready_at)"
                + " SELECT gen_random_uuid(), 1, 'q' || i % 3, 's', false, now() FROM generate_series(1, 1200) i");

        assertThat(desk.sweeps.promote().promoted()).isEqualTo(1200);
        database.execute(
                "UPDATE todos SET state = 'claimed', attempt = 1, owner = 'o', lease_expires_at = now() - interval '1 s'");
        assertThat(desk.sweeps.reap().requeued()).isEqualTo(1200);
    }

    @Test
    void heldTodoIsNotPromoted() throws Exception {
        database.execute("INSERT INTO todos (id, account_id, queue, source, due, held, ready_at)"
                + " VALUES (gen_random_uuid(), 1, 'q', 's', false, 'group', now())");

        assertThat(desk.sweeps.promote().promoted()).isZero();
    }

    @Test
    void parkedWaiterGetsADelayedTodoWithinTwoSecondsAlsoWithoutTimers() {
        ParkedClaim waiter = desk.parks(Ask.of("reviews").waiting());
        desk.repollSeconds = 1;
        database.execute("INSERT INTO todos (id, account_id, queue, source, due, ready_at)"
                + " VALUES (gen_random_uuid(), 1, 'reviews', 's', false, now() + interval '300 ms')");

        await().atMost(Duration.ofSeconds(4)).until(() -> waiter.answer().isDone());
        assertThat(TestDesk.todos(waiter)).hasSize(1);
    }

    @Test
    void withDeadTimersTheDeskItselfTakesLapsedTodosBack() {
        UUID id = desk.todo("reviews");
        desk.claimsOne("reviews");
        desk.lapse(id);
        desk.repollSeconds = 1;

        ParkedClaim waiter = desk.parks(Ask.of("reviews").waiting());

        assertThat(TestDesk.todos(waiter)).extracting(todo -> todo.attempt()).containsExactly(2);
    }

    @Test
    void timersSweepAndARunThatFailsIsFollowedByTheNext() throws Exception {
        database.execute("ALTER TABLE settings RENAME TO settings_away");
        Health health = new Health(new FrontDoor(Proxies.NONE));
        try (TestDesk timed = new TestDesk(database, database.pool())) {
            timed.context.addRoutes(new ReaperRoute(timed.sweeps, health));
            timed.context.addRoutes(new PromoterRoute(timed.sweeps, health));
            UUID id = timed.todo("reviews");
            UUID later = now(timed.todos.create(
                            Draft.on("later").readyAt("2999-01-01T00:00:00Z").build()))
                    .todo()
                    .id();
            timed.claimsOne("reviews");
            timed.lapse(id);
            database.execute("UPDATE todos SET ready_at = now() WHERE id = ?", later);

            // the reaper needs the settings, the promoter does not
            await().until(() -> Boolean.TRUE.equals(database.value("SELECT due FROM todos WHERE id = ?", later)));
            assertThat(timed.state(id)).isEqualTo("claimed");

            database.execute("ALTER TABLE settings_away RENAME TO settings");
            await().untilAsserted(() -> assertThat(timed.state(id)).isEqualTo("pending"));
        } finally {
            database.execute("ALTER TABLE IF EXISTS settings_away RENAME TO settings");
        }
    }
}
