package claims;

import static claims.TestDesk.attempt;
import static claims.TestDesk.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import claims.TestDesk.Ask;
import claims.TestDesk.Draft;
import fixtures.TestDatabase;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import model.Refusal;
import model.Refusal.Code;
import model.Todo;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The verbs of an owner: what each does, and that nobody but the live owner changes anything. */
class AttemptsTest {
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

    // --- complete

    @Test
    void completedTodoIsDoneWithItsResultItsOwnerAndItsHistory() {
        UUID id = desk.todo("reviews");
        Todo claimed = desk.claims(Ask.of("reviews").as("ada")).get(0);

        Todo done = now(desk.attempts.complete(new Verb.Complete(attempt(claimed), "{\"merged\": true}")));

        assertThat(done.state()).isEqualTo("done");
        assertThat(done.result()).isEqualTo("{\"merged\": true}");
        assertThat(done.owner()).isEqualTo("operator");
        assertThat(done.completedAt()).isNotNull();
        assertThat(done.leaseExpiresAt()).isNull();
        assertThat(history(id))
                .singleElement()
                .satisfies(ended -> assertThat(ended)
                        .containsEntry("attempt", 1)
                        .containsEntry("outcome", "completed")
                        .containsEntry("owner", "operator")
                        .containsEntry("worker", "ada")
                        .containsEntry("claimed_at", claimed.claimedAt()));
    }

    @Test
    void sameCompleteSentTwiceIsAnsweredTwice() {
        desk.todo("reviews");
        Todo claimed = desk.claimsOne("reviews");

        Todo first = now(desk.attempts.complete(new Verb.Complete(attempt(claimed), "1")));
        Todo again = now(desk.attempts.complete(new Verb.Complete(attempt(claimed), "2")));

        assertThat(again).isEqualTo(first);
        assertThat(history(claimed.id())).hasSize(1);
    }

    @Test
    void sameCompleteTwiceInOneBatchIsDoneOnce() throws Exception {
        desk.todo("reviews");
        Todo claimed = desk.claimsOne("reviews");

        List<CompletableFuture<Todo>> both = together(
                () -> desk.attempts.complete(new Verb.Complete(attempt(claimed), "1")),
                () -> desk.attempts.complete(new Verb.Complete(attempt(claimed), "2")));

        assertThat(both).allSatisfy(answer -> assertThat(now(answer).result()).isEqualTo("1"));
    }

    @Test
    void staleOwnerCanChangeNothing() {
        UUID id = desk.todo("reviews");
        Todo former = desk.claimsOne("reviews");
        desk.lapse(id);
        sweep();
        Todo live = desk.claimsOne("reviews");
        Map<String, Object> before = row(id);

        assertStale(() -> now(desk.attempts.heartbeat(new Verb.Heartbeat(attempt(former), 60))));
        assertStale(() -> now(desk.attempts.complete(new Verb.Complete(attempt(former), null))));
        assertStale(() -> now(desk.attempts.fail(new Verb.Fail(attempt(former), "late", null, false))));
        assertStale(() -> now(desk.attempts.release(attempt(former))));

        assertThat(row(id)).isEqualTo(before);
        assertThat(live.attempt()).isEqualTo(2);
    }

    @Test
    void anotherOwnerCanChangeNothing() {
        UUID id = desk.todo("reviews");
        Todo claimed = desk.claimsOne("reviews");
        Verb.Attempt stranger = new Verb.Attempt(id, TestDesk.ACCOUNT, null, "somebody else", claimed.attempt());
        Map<String, Object> before = row(id);

        assertStale(() -> now(desk.attempts.heartbeat(new Verb.Heartbeat(stranger, 60))));
        assertStale(() -> now(desk.attempts.complete(new Verb.Complete(stranger, null))));
        assertStale(() -> now(desk.attempts.fail(new Verb.Fail(stranger, "no", null, true))));
        assertStale(() -> now(desk.attempts.release(stranger)));

        assertThat(row(id)).isEqualTo(before);
    }

    @Test
    void formerAttemptStaysStaleAfterAReleaseAndANewClaimBySameOwner() {
        desk.todo("reviews");
        Todo former = desk.claimsOne("reviews");
        now(desk.attempts.release(attempt(former)));
        Todo live = desk.claimsOne("reviews");

        assertStale(() -> now(desk.attempts.complete(new Verb.Complete(attempt(former), null))));
        assertStale(() -> now(desk.attempts.release(attempt(former))));

        assertThat(now(desk.attempts.complete(new Verb.Complete(attempt(live), null)))
                        .state())
                .isEqualTo("done");
    }

    @Test
    void staleAndLiveAttemptOfOneTodoAreToldApartInOneBatch() throws Exception {
        desk.todo("reviews");
        Todo former = desk.claimsOne("reviews");
        now(desk.attempts.release(attempt(former)));
        Todo live = desk.claimsOne("reviews");

        List<CompletableFuture<Todo>> both = together(
                () -> desk.attempts.complete(new Verb.Complete(attempt(former), "\"stale\"")),
                () -> desk.attempts.complete(new Verb.Complete(attempt(live), "\"live\"")));

        assertStale(() -> now(both.get(0)));
        assertThat(now(both.get(1)).result()).isEqualTo("\"live\"");
    }

    @Test
    void resultThatTheDatabaseRefusesFailsAloneInItsBatch() throws Exception {
        desk.todos("reviews", 3);
        List<Todo> claimed = desk.claims(Ask.of("reviews").atMost(3));

        List<CompletableFuture<Todo>> answers = together(
                () -> desk.attempts.complete(new Verb.Complete(attempt(claimed.get(0)), "1")),
                () -> desk.attempts.complete(new Verb.Complete(attempt(claimed.get(1)), "\"\\u0000\"")),
                () -> desk.attempts.complete(new Verb.Complete(attempt(claimed.get(2)), "3")));

        assertThat(now(answers.get(0)).state()).isEqualTo("done");
        assertRefused(Code.INVALID_REQUEST, () -> now(answers.get(1)));
        assertThat(now(answers.get(2)).state()).isEqualTo("done");
        assertThat(desk.state(claimed.get(1).id())).isEqualTo("claimed");
    }

    @Test
    void todoDeletedWhileClaimedIsNotFound() {
        UUID id = desk.todo("reviews");
        Todo claimed = desk.claimsOne("reviews");
        database.execute("DELETE FROM todos WHERE id = ?", id);

        assertRefused(Code.NOT_FOUND, () -> now(desk.attempts.complete(new Verb.Complete(attempt(claimed), null))));
    }

    @Test
    void foreignTodoIsNotFound() {
        desk.todo("reviews");
        Todo claimed = desk.claimsOne("reviews");

        assertRefused(
                Code.NOT_FOUND,
                () -> now(desk.attempts.complete(
                        new Verb.Complete(new Verb.Attempt(claimed.id(), 2, null, TestDesk.OWNER, 1), null))));
        assertThat(desk.state(claimed.id())).isEqualTo("claimed");
    }

    @Test
    void everyStaleVerbIsCountedAndOneIsLoggedWithoutAlarm() {
        UUID id = desk.todo("reviews");
        Todo claimed = desk.claimsOne("reviews");
        now(desk.attempts.release(attempt(claimed)));
        desk.claimsOne("reviews");
        Logger log = (Logger) LoggerFactory.getLogger(Attempts.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        log.setLevel(Level.INFO);

        try {
            for (int i = 0; i < 3; i++) {
                assertStale(() -> now(desk.attempts.complete(new Verb.Complete(attempt(claimed), null))));
            }
        } finally {
            log.setLevel(null);
            log.detachAppender(lines);
        }

        assertThat(desk.attempts.stale()).isEqualTo(3);
        assertThat(lines.list)
                .isNotEmpty()
                .allMatch(line -> line.getLevel() == Level.INFO)
                .first()
                .satisfies(line -> assertThat(line.getFormattedMessage()).contains(id.toString(), "attempt=1"));
    }

    // --- leases

    @Test
    void heartbeatExtendsTheLeaseFromNow() {
        desk.todo("reviews");
        Todo claimed = desk.claims(Ask.of("reviews").leasedFor(10)).get(0);

        Todo extended = now(desk.attempts.heartbeat(new Verb.Heartbeat(attempt(claimed), 600)));

        assertThat(extended.leaseExpiresAt()).isCloseTo(Instant.now().plusSeconds(600), within(30, ChronoUnit.SECONDS));
        assertThat(extended.attempt()).isEqualTo(1);
    }

    @Test
    void heartbeatAfterTheLeaseLapsedIsStale() {
        UUID id = desk.todo("reviews");
        Todo claimed = desk.claimsOne("reviews");
        desk.lapse(id);

        assertStale(() -> now(desk.attempts.heartbeat(new Verb.Heartbeat(attempt(claimed), 600))));
    }

    @Test
    void heartbeatingTodoIsNeverTakenBack() {
        UUID id = desk.todo("reviews");
        Todo claimed = desk.claimsOne("reviews");
        database.execute(
                "UPDATE todos SET claimed_at = now() - interval '30 days', created_at = now() - interval '30 days'");

        now(desk.attempts.heartbeat(new Verb.Heartbeat(attempt(claimed), 60)));
        sweep();

        assertThat(desk.state(id)).isEqualTo("claimed");
    }

    @Test
    void completeAfterTheLapseCountsAsLongAsNobodyClaimedSince() {
        UUID before = desk.todo("before the reaper");
        Todo one = desk.claimsOne("before the reaper");
        desk.lapse(before);

        assertThat(now(desk.attempts.complete(new Verb.Complete(attempt(one), null)))
                        .state())
                .isEqualTo("done");

        UUID after = desk.todo("after the reaper");
        Todo other = desk.claims(Ask.of("after the reaper").as("ada")).get(0);
        desk.lapse(after);
        sweep();
        assertThat(desk.state(after)).isEqualTo("pending");

        Todo done = now(desk.attempts.complete(new Verb.Complete(attempt(other), null)));
        assertThat(done.state()).isEqualTo("done");
        assertThat(done.claimedAt()).isEqualTo(other.claimedAt());
        assertThat(history(after))
                .singleElement()
                .satisfies(ended ->
                        assertThat(ended).containsEntry("outcome", "completed").containsEntry("worker", "ada"));
    }

    @Test
    void failAfterTheLapseIsChargedOnce() {
        UUID id = desk.todo("reviews");
        Todo claimed = desk.claimsOne("reviews");
        desk.lapse(id);
        sweep();

        Todo failed = now(desk.attempts.fail(new Verb.Fail(attempt(claimed), "it broke", null, false)));

        assertThat(failed.failures()).isEqualTo(1);
        assertThat(failed.lastError()).isEqualTo("it broke");
        assertThat(history(id))
                .singleElement()
                .satisfies(ended -> assertThat(ended).containsEntry("outcome", "failed"));
    }

    // --- fail

    @Test
    void failBelowTheCapWaitsLongerEachTime() {
        UUID id = desk.todo("reviews");
        double[] expected = {30, 60, 120, 240};

        for (double seconds : expected) {
            Todo failed =
                    now(desk.attempts.fail(new Verb.Fail(attempt(desk.claimsOne("reviews")), "not yet", null, false)));

            assertThat(failed.state()).isEqualTo("pending");
            assertThat(failed.owner()).isNull();
            assertThat(waitOf(id)).isCloseTo(seconds, within(seconds * 0.11));
            assertThat(database.value("SELECT due FROM todos WHERE id = ?", id)).isEqualTo(false);
            makeDue(id);
        }
    }

    @Test
    void backoffIsAsItsQueueSaysAndNeverOverflows() {
        database.execute("INSERT INTO queues (account_id, name, max_attempts, backoff) VALUES (1, 'reviews', 1000,"
                + " '{\"base_seconds\": 2, \"factor\": 10, \"max_seconds\": 500, \"jitter\": 0}')");
        UUID id = desk.todo("reviews");
        database.execute("UPDATE todos SET failures = 900");

        now(desk.attempts.fail(new Verb.Fail(attempt(desk.claimsOne("reviews")), "e", null, false)));

        assertThat(waitOf(id)).isCloseTo(500, within(0.01));
    }

    @Test
    void failWithAWaitOfItsOwnOverridesTheBackoff() {
        UUID id = desk.todo("reviews");

        now(desk.attempts.fail(new Verb.Fail(attempt(desk.claimsOne("reviews")), "e", 7, false)));

        assertThat(waitOf(id)).isCloseTo(7, within(0.01));
    }

    @Test
    void failWithoutAWaitIsDueAtOnceAndAnnounced() throws Exception {
        desk.todo("reviews");
        Todo claimed = desk.claimsOne("reviews");

        List<String> announced =
                announced(() -> now(desk.attempts.fail(new Verb.Fail(attempt(claimed), "e", 0, false))));

        assertThat(announced).containsExactly("1:reviews");
        assertThat(desk.claimsOne("reviews").failures()).isEqualTo(1);
    }

    @Test
    void failAtTheCapIsTheEnd() {
        UUID id = now(desk.todos.create(Draft.on("reviews").maxAttempts(2).build()))
                .todo()
                .id();
        now(desk.attempts.fail(new Verb.Fail(attempt(desk.claimsOne("reviews")), "one", 0, false)));

        Todo failed = now(desk.attempts.fail(new Verb.Fail(attempt(desk.claimsOne("reviews")), "two", 0, false)));

        assertThat(failed.state()).isEqualTo("failed");
        assertThat(failed.failedReason()).isEqualTo("attempts_exhausted");
        assertThat(failed.lastError()).isEqualTo("two");
        assertThat(failed.owner()).isEqualTo("operator");
        assertThat(failed.completedAt()).isNotNull();
        assertThat(history(id)).extracting(ended -> ended.get("error")).containsExactly("one", "two");
        assertThat(desk.claims(Ask.of("reviews"))).isEmpty();
    }

    @Test
    void failWithDeadIsTheEndAtOnce() {
        desk.todo("reviews");

        Todo failed = now(desk.attempts.fail(new Verb.Fail(attempt(desk.claimsOne("reviews")), "no", null, true)));

        assertThat(failed.state()).isEqualTo("failed");
        assertThat(failed.failedReason()).isEqualTo("dead");
        assertThat(failed.failures()).isEqualTo(1);
    }

    @Test
    void sameFailSentTwiceIsChargedOnce() {
        desk.todo("reviews");
        Todo claimed = desk.claimsOne("reviews");

        now(desk.attempts.fail(new Verb.Fail(attempt(claimed), "e", null, false)));
        Todo again = now(desk.attempts.fail(new Verb.Fail(attempt(claimed), "e", null, false)));

        assertThat(again.failures()).isEqualTo(1);
        assertThat(history(claimed.id())).hasSize(1);
    }

    // --- release

    @Test
    void releaseChargesNothingKeepsThePlaceAndIsAnnounced() throws Exception {
        List<UUID> ids = desk.todos("reviews", 2);
        Todo claimed = desk.claimsOne("reviews");

        List<String> announced = announced(() -> now(desk.attempts.release(attempt(claimed))));

        assertThat(announced).containsExactly("1:reviews");
        Todo again = desk.claimsOne("reviews");
        assertThat(again.id()).isEqualTo(ids.get(0));
        assertThat(again.failures()).isZero();
        assertThat(again.attempt()).isEqualTo(2);
    }

    @Test
    void manyReleasesOfOneBatchAnnounceTheirQueueOnce() throws Exception {
        desk.todos("reviews", 5);
        List<Todo> claimed = desk.claims(Ask.of("reviews").atMost(5));

        List<String> announced = announced(() -> {
            List<CompletableFuture<Todo>> all = together(claimed.stream()
                    .<Verbs>map(todo -> () -> desk.attempts.release(attempt(todo)))
                    .toArray(Verbs[]::new));
            all.forEach(TestDesk::now);
        });

        assertThat(announced).containsExactly("1:reviews");
    }

    // --- claim one

    @Test
    void oneTodoIsClaimedByItsId() {
        List<UUID> ids = desk.todos("reviews", 2);

        Todo claimed = now(desk.attempts.claim(claimOne(ids.get(1), null)));

        assertThat(claimed.id()).isEqualTo(ids.get(1));
        assertThat(claimed.state()).isEqualTo("claimed");
        assertRefused(Code.NOT_CLAIMABLE, () -> now(desk.attempts.claim(claimOne(ids.get(1), null))));
    }

    @Test
    void whatIsNotDueKeptForOthersPausedOrDoneIsNotClaimable() {
        UUID later = now(desk.todos.create(
                        Draft.on("reviews").readyAt("2999-01-01T00:00:00Z").build()))
                .todo()
                .id();
        UUID kept = now(desk.todos.create(Draft.on("reviews").keptFor("ada").build()))
                .todo()
                .id();
        UUID paused = desk.todo("paused");
        database.execute("INSERT INTO queues (account_id, name, paused) VALUES (1, 'paused', true)");

        assertRefused(Code.NOT_CLAIMABLE, () -> now(desk.attempts.claim(claimOne(later, null))));
        assertRefused(Code.NOT_CLAIMABLE, () -> now(desk.attempts.claim(claimOne(kept, "bob"))));
        assertRefused(Code.NOT_CLAIMABLE, () -> now(desk.attempts.claim(claimOne(paused, null))));
        assertRefused(Code.NOT_FOUND, () -> now(desk.attempts.claim(claimOne(UUID.randomUUID(), null))));
        assertThat(now(desk.attempts.claim(claimOne(kept, "ada"))).worker()).isEqualTo("ada");
    }

    @Test
    void ofTwoWhoWantOneTodoInOneBatchTheFirstGetsIt() throws Exception {
        UUID id = desk.todo("reviews");

        List<CompletableFuture<Todo>> both = together(
                () -> desk.attempts.claim(claimOne(id, "ada")), () -> desk.attempts.claim(claimOne(id, "bob")));

        assertThat(now(both.get(0)).worker()).isEqualTo("ada");
        assertRefused(Code.NOT_CLAIMABLE, () -> now(both.get(1)));
    }

    // --- history

    @Test
    void historyOfATodoIsCapped() {
        database.execute("UPDATE settings SET value = '3' WHERE key = 'todo_attempts_kept'");
        try {
            UUID id = desk.todo("reviews");
            for (int i = 0; i < 5; i++) {
                now(desk.attempts.release(attempt(desk.claimsOne("reviews"))));
            }

            assertThat(history(id)).extracting(ended -> ended.get("attempt")).containsExactly(3, 4, 5);
        } finally {
            database.execute("UPDATE settings SET value = '50' WHERE key = 'todo_attempts_kept'");
        }
    }

    // --- words of these tests

    private interface Verbs {
        CompletableFuture<Todo> say();
    }

    private interface Action {
        void run() throws Exception;
    }

    /** Says them while all threads are busy, so that they share one statement. */
    private List<CompletableFuture<Todo>> together(Verbs... verbs) {
        desk.occupyVerbThreads();
        List<CompletableFuture<Todo>> answers =
                Arrays.stream(verbs).map(Verbs::say).toList();
        desk.freeVerbThreads();
        return answers;
    }

    /** What is notified on todo_ready while the action runs. */
    private List<String> announced(Action action) throws Exception {
        try (var connection = database.unpooled().getConnection();
                var listen = connection.createStatement()) {
            listen.execute("LISTEN todo_ready");
            action.run();
            listen.execute("SELECT 1");
            var notifications =
                    connection.unwrap(org.postgresql.PGConnection.class).getNotifications(500);
            return notifications == null
                    ? List.of()
                    : Arrays.stream(notifications)
                            .map(org.postgresql.PGNotification::getParameter)
                            .toList();
        }
    }

    private void sweep() {
        try {
            desk.sweeps.reap();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Verb.ClaimOne claimOne(UUID id, String worker) {
        return new Verb.ClaimOne(id, TestDesk.ACCOUNT, null, TestDesk.OWNER, worker, worker, null);
    }

    private static void makeDue(UUID id) {
        database.execute("UPDATE todos SET due = true, ready_at = now() WHERE id = ?", id);
    }

    private static double waitOf(UUID id) {
        return ((Number) database.value(
                        "SELECT extract(epoch FROM ready_at - updated_at)::float8 FROM todos WHERE id = ?", id))
                .doubleValue();
    }

    private static Map<String, Object> row(UUID id) {
        return database.query("SELECT * FROM todos WHERE id = ?", id).get(0);
    }

    private static List<Map<String, Object>> history(UUID id) {
        return database.query("SELECT * FROM todo_attempts WHERE todo_id = ? ORDER BY attempt", id);
    }

    private static void assertStale(ThrowingCallable verb) {
        assertRefused(Code.STALE_ATTEMPT, verb);
    }

    private static void assertRefused(Code code, ThrowingCallable verb) {
        assertThatThrownBy(verb)
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
    }
}
