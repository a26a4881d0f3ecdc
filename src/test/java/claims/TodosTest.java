package claims;

import static claims.TestDesk.attempt;
import static claims.TestDesk.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import claims.TestDesk.Ask;
import claims.TestDesk.Draft;
import fixtures.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import model.Refusal;
import model.Refusal.Code;
import model.Todo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Todos made over the API, and their second lives. */
class TodosTest {
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
    void secondTodoWithALiveKeyIsTheFirst() {
        Verb.Created first = created(Draft.on("reviews").key("k"));
        Verb.Created second = created(Draft.on("reviews").key("k"));
        Verb.Created elsewhere = created(Draft.on("other").key("k"));

        assertThat(first.created()).isTrue();
        assertThat(second.created()).isFalse();
        assertThat(second.todo()).isEqualTo(first.todo());
        assertThat(elsewhere.created()).isTrue();
    }

    @Test
    void claimedTodoStillHoldsItsKey() {
        Verb.Created first = created(Draft.on("reviews").key("k"));
        desk.claimsOne("reviews");

        assertThat(created(Draft.on("reviews").key("k")).todo().id())
                .isEqualTo(first.todo().id());
    }

    @Test
    void finishedTodoGivesItsKeyFree() {
        created(Draft.on("reviews").key("k"));
        now(desk.attempts.complete(new Verb.Complete(attempt(desk.claimsOne("reviews")), null)));
        Verb.Created second = created(Draft.on("reviews").key("k"));
        now(desk.attempts.fail(new Verb.Fail(attempt(desk.claimsOne("reviews")), "e", null, true)));
        Verb.Created third = created(Draft.on("reviews").key("k"));

        assertThat(second.created()).isTrue();
        assertThat(third.created()).isTrue();
    }

    @Test
    void todosWithoutAKeyAreNeverTheSame() {
        assertThat(created(Draft.on("reviews")).created()).isTrue();
        assertThat(created(Draft.on("reviews")).created()).isTrue();
    }

    @Test
    void sameKeyTwiceInOneBatchIsOneTodo() {
        desk.occupyVerbThreads();
        CompletableFuture<Verb.Created> first =
                desk.todos.create(Draft.on("reviews").key("k").build());
        CompletableFuture<Verb.Created> second =
                desk.todos.create(Draft.on("reviews").key("k").build());
        desk.freeVerbThreads();

        assertThat(now(first).created()).isTrue();
        assertThat(now(second).created()).isFalse();
        assertThat(now(second).todo().id()).isEqualTo(now(first).todo().id());
    }

    @Test
    void twinThatFinishesBeforeItIsReadLetsTheNewTodoIn() throws Exception {
        UUID twin = created(Draft.on("reviews").key("k")).todo().id();
        // as if the twin finished between the insert that it swallowed and its reading, once
        database.execute("CREATE FUNCTION finish() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " UPDATE todos SET state = 'done', completed_at = now() WHERE id = '" + twin
                + "'; RETURN NULL; END $$");
        database.execute("CREATE TRIGGER finish AFTER INSERT ON todos FOR EACH STATEMENT EXECUTE FUNCTION finish()");
        try {
            Verb.Created second = created(Draft.on("reviews").key("k"));

            assertThat(second.created()).isTrue();
            assertThat(second.todo().id()).isNotEqualTo(twin);
        } finally {
            database.execute("DROP TRIGGER finish ON todos");
            database.execute("DROP FUNCTION finish()");
        }
    }

    @Test
    void manyWhoCreateTheSameTodoMakeOne() {
        List<CompletableFuture<Verb.Created>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(desk.todos.create(Draft.on("reviews").key("k").build()));
        }

        assertThat(all.stream().map(TestDesk::now).filter(Verb.Created::created))
                .hasSize(1);
        assertThat(all.stream().map(answer -> now(answer).todo().id()).distinct())
                .hasSize(1);
    }

    @Test
    void delayedTodoIsNotDueAndNotAnnounced() {
        ParkedClaim waiter = desk.parks(Ask.of("reviews").waiting());

        Todo todo = created(Draft.on("reviews").readyAt("2999-01-01T00:00:00Z")).todo();
        desk.desk.ring(TestDesk.ACCOUNT, "reviews");
        long before = desk.desk.numbers().statements();
        desk.desk.ring(TestDesk.ACCOUNT, "reviews");
        await().until(() -> desk.desk.numbers().statements() > before);

        assertThat(waiter.answer()).isNotDone();
        assertThat(todo.state()).isEqualTo("pending");
        assertThat(database.value("SELECT due FROM todos WHERE id = ?", todo.id()))
                .isEqualTo(false);
    }

    @Test
    void capIsTheTodosOwnElseItsQueues() {
        database.execute("INSERT INTO queues (account_id, name, max_attempts) VALUES (1, 'reviews', 9)");

        assertThat(created(Draft.on("reviews").maxAttempts(2)).todo().maxAttempts())
                .isEqualTo(2);
        assertThat(created(Draft.on("reviews")).todo().maxAttempts()).isEqualTo(9);
        assertThat(created(Draft.on("unknown")).todo().maxAttempts()).isEqualTo(5);
    }

    // --- retry

    @Test
    void retriedTodoBeginsAnewAndKeepsItsHistory() {
        UUID id = failed(Draft.on("reviews"));

        Todo retried = desk.retry(TestDesk.ACCOUNT, id);
        assertThat(retried.state()).isEqualTo("pending");
        assertThat(retried.failures()).isZero();
        assertThat(retried.failedReason()).isNull();
        assertThat(retried.completedAt()).isNull();

        Todo again = desk.claimsOne("reviews");
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(desk.todos.attempts(id)).hasSize(1);
    }

    @Test
    void retriedTwiceRunsTwice() {
        UUID id = failed(Draft.on("reviews"));
        desk.retry(TestDesk.ACCOUNT, id);
        now(desk.attempts.fail(new Verb.Fail(attempt(desk.claimsOne("reviews")), "again", null, true)));
        desk.retry(TestDesk.ACCOUNT, id);

        now(desk.attempts.complete(new Verb.Complete(attempt(desk.claimsOne("reviews")), null)));

        assertThat(desk.todos.attempts(id))
                .extracting(row -> row.get("outcome"))
                .containsExactly("failed", "failed", "completed");
    }

    @Test
    void retryWithALiveTwinNamesIt() {
        UUID id = failed(Draft.on("reviews").key("k"));
        UUID twin = created(Draft.on("reviews").key("k")).todo().id();

        assertThatThrownBy(() -> desk.retry(TestDesk.ACCOUNT, id)).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(Code.LIVE_TWIN);
            assertThat(refusal.fields()).containsEntry("todo_id", twin.toString());
        });
        assertThat(desk.state(id)).isEqualTo("failed");
    }

    @Test
    void onlyAFailedTodoIsRetried() {
        UUID pending = desk.todo("reviews");

        assertThatThrownBy(() -> desk.retry(TestDesk.ACCOUNT, pending))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(Code.NOT_FAILED));
    }

    @Test
    void unknownAndForeignTodosAreNotFound() {
        UUID id = failed(Draft.on("reviews"));

        assertThatThrownBy(() -> desk.retry(2, id))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(Code.NOT_FOUND));
        assertThatThrownBy(() -> desk.retry(TestDesk.ACCOUNT, UUID.randomUUID()))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(Code.NOT_FOUND));
        assertThat(desk.todos.find(2, null, id)).isEmpty();
        assertThat(desk.state(id)).isEqualTo("failed");
    }

    private Verb.Created created(Draft draft) {
        return now(desk.todos.create(draft.build()));
    }

    private UUID failed(Draft draft) {
        UUID id = created(draft).todo().id();
        now(desk.attempts.fail(new Verb.Fail(attempt(desk.claimsOne("reviews")), "e", null, true)));
        return id;
    }
}
