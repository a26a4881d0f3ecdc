package claims;

import static claims.TestDesk.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import claims.TestDesk.Ask;
import claims.TestDesk.Draft;
import fixtures.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import model.Refusal;
import model.Todo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claiming and waiting: who gets what, in which order, and what happens to those who leave. */
class DeskTest {
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

    // --- who gets what

    @Test
    void claimNeverGivesMoreThanAsked() {
        desk.todos("reviews", 7);

        assertThat(desk.claims(Ask.of("reviews").atMost(3))).hasSize(3);
        assertThat(desk.claims(Ask.of("reviews").atMost(100))).hasSize(4);
        assertThat(desk.claims(Ask.of("reviews").atMost(100))).isEmpty();
    }

    @Test
    void claimedTodoIsOwnedLeasedAndFenced() {
        UUID id = desk.todo("reviews");

        Todo claimed = desk.claims(Ask.of("reviews").as("ada").leasedFor(60)).get(0);

        assertThat(claimed.id()).isEqualTo(id);
        assertThat(claimed.state()).isEqualTo("claimed");
        assertThat(claimed.owner()).isEqualTo("operator");
        assertThat(claimed.worker()).isEqualTo("ada");
        assertThat(claimed.attempt()).isEqualTo(1);
        assertThat(Duration.between(claimed.claimedAt(), claimed.leaseExpiresAt()))
                .isEqualTo(Duration.ofSeconds(60));
        assertThat(desk.claims(Ask.of("reviews"))).isEmpty();
    }

    @Test
    void leaseIsAsItsQueueSaysUnlessTheClaimSays() {
        database.execute("INSERT INTO queues (account_id, name, lease_seconds) VALUES (1, 'slow', 900)");
        desk.todos("slow", 1);
        desk.todos("plain", 1);

        Todo slow = desk.claims(Ask.of("slow").leasedAsItsQueueSays()).get(0);
        Todo plain = desk.claims(Ask.of("plain").leasedAsItsQueueSays()).get(0);

        assertThat(Duration.between(slow.claimedAt(), slow.leaseExpiresAt())).isEqualTo(Duration.ofSeconds(900));
        assertThat(Duration.between(plain.claimedAt(), plain.leaseExpiresAt())).isEqualTo(Duration.ofSeconds(300));
    }

    @Test
    void higherPriorityFirstThenFirstComeFirstServed() {
        UUID first = desk.todo("reviews");
        UUID second = desk.todo("reviews");
        UUID urgent = now(desk.todos.create(Draft.on("reviews").priority(5).build()))
                .todo()
                .id();

        List<UUID> order = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            order.add(desk.claimsOne("reviews").id());
        }

        assertThat(order).containsExactly(urgent, first, second);
    }

    @Test
    void workersOfOneQueueEachGetADistinctTodo() {
        desk.todos("reviews", 64);
        List<ParkedClaim> workers = IntStream.range(0, 64)
                .mapToObj(i -> desk.parks(Ask.of("reviews").as("worker " + i)))
                .toList();

        Set<UUID> claimed = new HashSet<>();
        workers.forEach(worker -> claimed.add(TestDesk.todos(worker).get(0).id()));

        assertThat(claimed).hasSize(64);
    }

    @Test
    void claimStepsOverATodoThatSomebodyElseHoldsLocked() throws Exception {
        UUID locked = desk.todo("reviews");
        UUID free = desk.todo("reviews");

        try (var connection = database.unpooled().getConnection()) {
            connection.setAutoCommit(false);
            try (var statement = connection.prepareStatement("SELECT id FROM todos WHERE id = ? FOR UPDATE")) {
                statement.setObject(1, locked);
                statement.executeQuery();

                assertThat(desk.claimsOne("reviews").id()).isEqualTo(free);
            }
        }
    }

    @Test
    void todoKeptForAWorkerGoesToThatWorkerAlone() {
        UUID kept = now(desk.todos.create(Draft.on("reviews").keptFor("ada").build()))
                .todo()
                .id();
        UUID pooled = desk.todo("reviews");

        assertThat(desk.claims(Ask.of("reviews").as("bob").atMost(10)))
                .extracting(Todo::id)
                .containsExactly(pooled);
        assertThat(desk.claims(Ask.of("reviews").atMost(10))).isEmpty();
        assertThat(desk.claims(Ask.of("reviews").as("ada").atMost(10)))
                .extracting(Todo::id)
                .containsExactly(kept);
    }

    @Test
    void twoCallsOfOneWorkerShareWhatIsKeptForIt() {
        for (int i = 0; i < 3; i++) {
            now(desk.todos.create(Draft.on("reviews").keptFor("ada").build()));
        }
        ParkedClaim one = desk.parks(Ask.of("reviews").as("ada").atMost(2).waiting());
        ParkedClaim other = desk.parks(Ask.of("reviews").as("ada").atMost(2).waiting());

        List<Todo> claimed = new ArrayList<>(TestDesk.todos(one));
        claimed.addAll(TestDesk.todos(other));

        assertThat(claimed).extracting(Todo::id).doesNotHaveDuplicates().hasSize(3);
    }

    @Test
    void pausedQueueGivesNothingButStillTakesTodos() {
        database.execute("INSERT INTO queues (account_id, name, paused) VALUES (1, 'reviews', true)");
        UUID id = desk.todo("reviews");

        assertThat(desk.claims(Ask.of("reviews"))).isEmpty();
        assertThat(desk.claims(Ask.ofAnyQueue())).isEmpty();

        database.execute("UPDATE queues SET paused = false");
        assertThat(desk.claimsOne("reviews").id()).isEqualTo(id);
    }

    @Test
    void foreignTodosDoNotExist() {
        database.execute(
                "INSERT INTO todos (id, account_id, queue, source) VALUES (gen_random_uuid(), 2, 'reviews', 's')");

        assertThat(desk.claims(Ask.of("reviews"))).isEmpty();
        assertThat(desk.claims(Ask.ofAnyQueue())).isEmpty();
    }

    // --- several queues

    @Test
    void queuesAreLookedAtInTheOrderAsked() {
        desk.todos("first", 1);
        desk.todos("second", 1);

        assertThat(desk.claims(Ask.of("second", "first")))
                .extracting(Todo::queue)
                .containsExactly("second");
        assertThat(desk.claims(Ask.of("second", "first")))
                .extracting(Todo::queue)
                .containsExactly("first");
        assertThat(desk.claims(Ask.of("second", "first"))).isEmpty();
    }

    @Test
    void oneAnswerIsFilledFromAllTheQueuesAsked() {
        desk.todos("first", 2);
        desk.todos("second", 2);

        assertThat(desk.claims(Ask.of("first", "second").atMost(3)))
                .extracting(Todo::queue)
                .containsExactly("first", "first", "second");
    }

    @Test
    void withoutQueuesAllAreServedByTurns() {
        for (String queue : List.of("a", "b", "c")) {
            desk.todos(queue, 3);
        }

        List<String> order = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            order.add(desk.claims(Ask.ofAnyQueue()).get(0).queue());
        }

        assertThat(order).containsExactly("a", "b", "c", "a", "b", "c");
    }

    @Test
    void withoutQueuesOneAnswerIsFilledFromAll() {
        for (String queue : List.of("a", "b", "c")) {
            desk.todos(queue, 1);
        }

        assertThat(desk.claims(Ask.ofAnyQueue().atMost(10)))
                .extracting(Todo::queue)
                .containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void waiterForAllQueuesIsWokenByOneThatWasMadeLater() {
        ParkedClaim waiter = desk.parks(Ask.ofAnyQueue().waiting());
        await().until(() -> desk.desk.numbers().parked() == 1);

        UUID id = desk.todo("made later");
        desk.desk.ring(TestDesk.ACCOUNT, "made later");

        assertThat(TestDesk.todos(waiter)).extracting(Todo::id).containsExactly(id);
    }

    @Test
    void waiterOnSeveralQueuesIsWokenByAnyOfThem() {
        ParkedClaim waiter = desk.parks(Ask.of("a", "b", "c").waiting());

        UUID id = desk.todo("b");
        desk.desk.ring(TestDesk.ACCOUNT, "b");

        assertThat(TestDesk.todos(waiter)).extracting(Todo::id).containsExactly(id);
        assertThat(desk.desk.numbers().parked()).isZero();
    }

    // --- waiting

    @Test
    void firstInLineIsServedFirst() {
        ParkedClaim first = desk.parks(Ask.of("reviews").waiting());
        ParkedClaim second = desk.parks(Ask.of("reviews").waiting());

        UUID one = desk.todo("reviews");
        desk.desk.ring(TestDesk.ACCOUNT, "reviews");
        assertThat(TestDesk.todos(first)).extracting(Todo::id).containsExactly(one);
        assertThat(second.answer()).isNotDone();

        UUID two = desk.todo("reviews");
        desk.desk.ring(TestDesk.ACCOUNT, "reviews");
        assertThat(TestDesk.todos(second)).extracting(Todo::id).containsExactly(two);
    }

    @Test
    void waitInVainEndsWithNothing() {
        ParkedClaim waiter = desk.parks(Ask.of("reviews").waiting(Duration.ofMillis(200)));

        assertThat(TestDesk.todos(waiter)).isEmpty();
        assertThat(desk.desk.numbers().parked()).isZero();
    }

    @Test
    void withoutAnyWakeTheRepollFindsTheTodo() {
        desk.repollSeconds = 1;
        ParkedClaim waiter = desk.parks(Ask.of("reviews").waiting());
        ParkedClaim anywhere = desk.parks(Ask.ofAnyQueue().waiting());

        // two, because who takes from anywhere may take one of these
        desk.todos("reviews", 2);
        desk.todos("elsewhere", 1);

        assertThat(TestDesk.todos(waiter)).hasSize(1);
        assertThat(TestDesk.todos(anywhere)).hasSize(1);
    }

    @Test
    void fiftyIdleWaitersAskNothingWhileOtherQueuesAreBusy() {
        for (int i = 0; i < 50; i++) {
            desk.parks(Ask.of("idle " + i).waiting());
        }
        awaitQuiet();
        long before = desk.desk.numbers().statements();

        desk.todos("busy", 20);
        for (int i = 0; i < 20; i++) {
            desk.desk.ring(TestDesk.ACCOUNT, "busy");
            desk.claimsOne("busy");
        }

        assertThat(desk.desk.numbers().statements() - before).isEqualTo(20);
    }

    @Test
    void wakeWhileTheClaimRunsIsNotLost() throws Exception {
        UUID id = desk.todo("reviews");
        database.execute("UPDATE todos SET due = false WHERE id = ?", id);
        ParkedClaim waiter;

        try (HeldClaims held = new HeldClaims()) {
            waiter = desk.parks(Ask.of("reviews").waiting());
            held.awaitOne();
            // committed after the statement's snapshot, rung while it runs
            database.execute("UPDATE todos SET due = true WHERE id = ?", id);
            desk.desk.ring(TestDesk.ACCOUNT, "reviews");
        }

        // the re-poll is a minute away
        assertThat(TestDesk.todos(waiter)).extracting(Todo::id).containsExactly(id);
        assertThat(desk.desk.numbers().statements()).isEqualTo(2);
    }

    @Test
    void everybodyInALongLineIsLookedAt() {
        List<ParkedClaim> waiting = IntStream.range(0, 600)
                .mapToObj(i -> desk.parks(Ask.of("reviews").waiting()))
                .toList();

        assertThat(desk.claims(Ask.of("reviews"))).isEmpty();
        awaitQuiet();

        database.execute("INSERT INTO todos (id, account_id, queue, source)"
                + " SELECT gen_random_uuid(), 1, 'reviews', 's' FROM generate_series(1, 3)");
        desk.desk.ring(TestDesk.ACCOUNT, "reviews");
        await().until(() -> waiting.stream().filter(w -> w.answer().isDone()).count() == 3);
        assertThat(waiting.subList(0, 3)).allMatch(w -> w.answer().isDone());
    }

    /** Everybody has been looked at, and nobody is looked at any more. */
    private void awaitQuiet() {
        AtomicLong statements = new AtomicLong(-1);
        await().during(Duration.ofMillis(300))
                .until(() -> statements.getAndSet(desk.desk.numbers().statements())
                        == desk.desk.numbers().statements());
    }

    // --- those who leave

    @Test
    void clientThatLeftWhileItWaitedGetsNothing() {
        ParkedClaim gone = desk.parks(Ask.of("reviews").waiting());
        await().until(() -> desk.desk.numbers().statements() > 0);

        gone.abandon();
        UUID id = desk.todo("reviews");
        desk.desk.ring(TestDesk.ACCOUNT, "reviews");

        assertThat(now(gone.answer())).isEmpty();
        assertThat(desk.claimsOne("reviews").id()).isEqualTo(id);
    }

    @Test
    void todoClaimedForAClientThatLeftIsGivenBack() throws Exception {
        UUID id = desk.todo("reviews");
        ParkedClaim gone;

        try (HeldClaims held = new HeldClaims()) {
            gone = desk.parks(Ask.of("reviews").waiting());
            held.awaitOne();
            gone.abandon();
        }

        assertThat(now(gone.answer())).isEmpty();
        await().untilAsserted(() -> assertThat(desk.state(id)).isEqualTo("pending"));
        assertThat(database.value("SELECT outcome FROM todo_attempts WHERE todo_id = ?", id))
                .isEqualTo("released");
        assertThat(database.value("SELECT failures FROM todos WHERE id = ?", id))
                .isEqualTo(0);
        assertThat(desk.desk.numbers().givenBack()).isEqualTo(1);
    }

    @Test
    void waitThatEndsWhileTheClaimRunsIsAnsweredWithItsTodo() throws Exception {
        UUID id = desk.todo("reviews");
        ParkedClaim late;

        try (HeldClaims held = new HeldClaims()) {
            late = desk.parks(Ask.of("reviews").waiting());
            held.awaitOne();
            late.endWait();
        }

        assertThat(TestDesk.todos(late)).extracting(Todo::id).containsExactly(id);
    }

    @Test
    void stopWaitsForTheClaimThatRunsAndAnswersIt() throws Exception {
        UUID id = desk.todo("reviews");
        ParkedClaim last;
        CompletableFuture<Boolean> stopped;

        try (HeldClaims held = new HeldClaims()) {
            last = desk.parks(Ask.of("reviews").waiting());
            held.awaitOne();
            stopped = CompletableFuture.supplyAsync(this::stop);
            await().during(Duration.ofMillis(200)).until(() -> !stopped.isDone());
        }

        assertThat(now(stopped)).isTrue();
        assertThat(TestDesk.todos(last)).extracting(Todo::id).containsExactly(id);
    }

    private boolean stop() {
        try {
            return desk.desk.stop(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Until it is closed, a claim's statement stops when it has its snapshot and before it looks. */
    private static final class HeldClaims implements AutoCloseable {
        private static final int LOCK = 42;
        private final Connection holder = database.unpooled().getConnection();

        HeldClaims() throws SQLException {
            database.execute("CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS"
                    + " $$ BEGIN PERFORM pg_advisory_xact_lock(" + LOCK + "); RETURN NULL; END $$");
            database.execute(
                    "CREATE TRIGGER hold BEFORE UPDATE OF owner ON todos FOR EACH STATEMENT EXECUTE FUNCTION hold()");
            try (Statement lock = holder.createStatement()) {
                lock.execute("SELECT pg_advisory_lock(" + LOCK + ")");
            }
        }

        void awaitOne() {
            await().until(() -> database.count(
                            "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
                                    + " WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted")
                    == 1);
        }

        @Override
        public void close() throws SQLException {
            holder.close();
            database.execute("DROP FUNCTION hold() CASCADE");
        }
    }

    // --- limits, faults, the end

    @Test
    void claimsBeyondTheLimitsAreRefused() throws Exception {
        try (TestDesk small = new TestDesk(database, database.pool(), new Desk.Size(1, 3, 2))) {
            small.parks(Ask.of("reviews").waiting());
            small.parks(Ask.of("reviews").waiting());

            assertThatThrownBy(() -> small.parks(Ask.of("reviews")))
                    .isInstanceOfSatisfying(
                            Refusal.class, r -> assertThat(r.code()).isEqualTo(Refusal.Code.RATE_LIMITED));
            small.desk.claim(
                    new ClaimAsk(2, null, "other", null, null, List.of("x"), 1, null, Duration.ofSeconds(60), 0));
            assertThatThrownBy(() -> small.desk.claim(new ClaimAsk(
                            3, null, "third", null, null, List.of("x"), 1, null, Duration.ofSeconds(60), 0)))
                    .isInstanceOfSatisfying(
                            Refusal.class, r -> assertThat(r.code()).isEqualTo(Refusal.Code.OVERLOADED));
        }
    }

    @Test
    void failingClaimIsRefusedAtOnceButAWaitGoesOn() {
        desk.repollSeconds = 1;
        desk.todos("reviews", 1);
        database.execute("ALTER TABLE queues RENAME TO queues_away");
        try {
            ParkedClaim waiter = desk.parks(Ask.of("reviews").waiting());
            assertThatThrownBy(() -> desk.claims(Ask.of("reviews")))
                    .isInstanceOfSatisfying(
                            Refusal.class, r -> assertThat(r.code()).isEqualTo(Refusal.Code.DATABASE_UNAVAILABLE));
            assertThat(waiter.answer()).isNotDone();

            database.execute("ALTER TABLE queues_away RENAME TO queues");

            assertThat(TestDesk.todos(waiter)).hasSize(1);
        } finally {
            database.execute("ALTER TABLE IF EXISTS queues_away RENAME TO queues");
        }
    }

    @Test
    void waitThroughAnOutageEndsWithARefusalAndNotWithNothing() {
        database.execute("ALTER TABLE queues RENAME TO queues_away");
        try {
            ParkedClaim waiter = desk.parks(Ask.of("reviews").waiting(Duration.ofMillis(300)));

            assertThatThrownBy(() -> TestDesk.todos(waiter))
                    .isInstanceOfSatisfying(
                            Refusal.class, r -> assertThat(r.code()).isEqualTo(Refusal.Code.DATABASE_UNAVAILABLE));
        } finally {
            database.execute("ALTER TABLE queues_away RENAME TO queues");
        }
    }

    @Test
    void stopEndsAllWaitsWithNothingAndRefusesNewClaims() throws Exception {
        ParkedClaim one = desk.parks(Ask.of("reviews").waiting());
        ParkedClaim any = desk.parks(Ask.ofAnyQueue().waiting());

        boolean finished = desk.desk.stop(Duration.ofSeconds(10));

        assertThat(finished).isTrue();
        assertThat(TestDesk.todos(one)).isEmpty();
        assertThat(TestDesk.todos(any)).isEmpty();
        assertThatThrownBy(() -> desk.parks(Ask.of("reviews")))
                .isInstanceOfSatisfying(Refusal.class, r -> assertThat(r.code()).isEqualTo(Refusal.Code.STOPPING));
    }

    // --- payloads

    @Test
    void answerIsFilledWithPayloadsInOrderUpToItsBudget() {
        event(1, "application/json", "{\"n\": 1}");
        event(2, "application/json", "{\"n\": 2}");
        todoOf(1, 3);
        now(desk.todos.create(
                Draft.on("reviews").payload("{\"own\": true}").priority(2).build()));
        todoOf(2, 1);

        List<ClaimedTodo> all = now(desk.parks(Ask.of("reviews").atMost(10)).answer());
        assertThat(all).hasSize(3);
        assertThat(new String(all.get(0).body(), StandardCharsets.UTF_8)).isEqualTo("{\"n\": 1}");
        assertThat(all.get(1).todo().payload()).isEqualTo("{\"own\": true}");
        assertThat(all.get(1).body()).isNull();
        assertThat(new String(all.get(2).body(), StandardCharsets.UTF_8)).isEqualTo("{\"n\": 2}");

        giveAllBack(all);
        List<ClaimedTodo> some =
                now(desk.parks(Ask.of("reviews").atMost(10).withBytes(21)).answer());
        assertThat(some.get(0).body()).isNotNull();
        assertThat(some.get(1).todo().payload()).isNotNull();
        assertThat(some.get(2).body()).isNull();

        giveAllBack(some);
        List<ClaimedTodo> none =
                now(desk.parks(Ask.of("reviews").atMost(10).withBytes(0)).answer());
        assertThat(none)
                .allMatch(claimed -> claimed.body() == null && claimed.todo().payload() == null);
    }

    private void giveAllBack(List<ClaimedTodo> claimed) {
        claimed.forEach(c -> now(desk.attempts.release(TestDesk.attempt(c.todo()))));
    }

    private static void event(long id, String contentType, String body) {
        database.execute(
                "INSERT INTO events (account_id, id, source, family, trust_mode, verified, content_type, payload, payload_size)"
                        + " VALUES (1, ?, 'github', 'webhook', 'signed', true, ?, ?, ?)",
                id,
                contentType,
                body.getBytes(StandardCharsets.UTF_8),
                body.length());
    }

    private static void todoOf(long event, int priority) {
        database.execute(
                "INSERT INTO todos (id, account_id, queue, source, event_id, priority) VALUES (gen_random_uuid(), 1, 'reviews', 'github', ?, ?)",
                event,
                priority);
    }
}
