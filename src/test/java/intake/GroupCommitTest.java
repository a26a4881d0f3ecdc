package intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import adapters.Outcome;
import fixtures.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import model.Delivery;
import model.Disposition;
import model.Family;
import model.Receipt;
import model.Refusal;
import model.TodoDraft;
import model.TrustMode;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import routes.IntakeRoute;
import routes.Storage;

/** The one transaction: what is stored, what is answered, and who pays when it fails. */
class GroupCommitTest {
    @AutoClose
    private static final TestDatabase database = TestDatabase.create();

    private static CamelContext context;
    private GroupCommit commit;

    @BeforeAll
    static void start() throws Exception {
        context = new DefaultCamelContext();
        Storage.bind(context, database.pool());
        context.addRoutes(new IntakeRoute());
        context.start();
    }

    @AfterAll
    static void stop() {
        context.stop();
    }

    @BeforeEach
    void fresh() {
        database.execute("TRUNCATE events, event_keys, todos, todo_attempts");
        commit = new GroupCommit(context, 2);
    }

    @AfterEach
    void drain() {
        commit.close();
        database.execute("DROP TRIGGER IF EXISTS refuse ON events");
    }

    @Test
    void bytesAreStoredAsSentAndTheReceiptNamesWhatWasMade() {
        byte[] bytes = {0, 1, (byte) 255, 39, 92};

        Receipt receipt = committed(delivery("a", bytes), todo("reviews", "k1"), todo("audit", null));

        assertThat(receipt.duplicate()).isFalse();
        assertThat(receipt.todos()).extracting(Receipt.Todo::queue).containsExactly("reviews", "audit");
        assertThat(receipt.todos()).allMatch(Receipt.Todo::created);
        assertThat((byte[]) database.value("SELECT payload FROM events WHERE id = ?", receipt.eventId()))
                .isEqualTo(bytes);
        assertThat(database.value("SELECT count(*) FROM todos WHERE event_id = ?", receipt.eventId()))
                .isEqualTo(2L);
    }

    @Test
    void aSecondCopyInsertsNothingIsCountedAndNamesTheFirst() {
        Receipt first = committed(delivery("a"), todo("reviews", "k1"), todo("audit", null));

        Receipt second = committed(delivery("a"), todo("reviews", "k1"), todo("audit", null));

        assertThat(second.eventId()).isEqualTo(first.eventId());
        assertThat(second.duplicate()).isTrue();
        assertThat(second.todos()).hasSize(2).noneMatch(Receipt.Todo::created);
        assertThat(second.todos()).extracting(Receipt.Todo::id).containsExactlyInAnyOrderElementsOf(ids(first));
        assertThat(database.value("SELECT count(*) FROM events")).isEqualTo(1L);
        assertThat(database.value("SELECT duplicates FROM event_keys")).isEqualTo(1);
        assertThat(database.value("SELECT last_duplicate_at FROM event_keys")).isNotNull();
    }

    @Test
    void copiesInOneBatchBecomeOneEvent() {
        List<Receipt> receipts = written(
                waiting(delivery("a"), todo("q", "ka")),
                waiting(delivery("a"), todo("q", "ka")),
                waiting(delivery("b")));

        assertThat(receipts).extracting(Receipt::duplicate).containsExactly(false, true, false);
        assertThat(receipts.get(1).eventId()).isEqualTo(receipts.get(0).eventId());
        assertThat(database.value("SELECT count(*) FROM events")).isEqualTo(2L);
        assertThat(database.value("SELECT count(*) FROM todos")).isEqualTo(1L);
    }

    @Test
    void aTodoWhoseKeyIsAliveIsMetInsteadOfMade() {
        Receipt first = committed(delivery("a"), todo("q", "same"));

        Receipt second = committed(delivery("b"), todo("q", "same"), todo("q", "other"));

        assertThat(second.duplicate()).isFalse();
        assertThat(second.todos()).extracting(Receipt.Todo::created).containsExactly(false, true);
        assertThat(second.todos().get(0).id()).isEqualTo(first.todos().get(0).id());
    }

    @Test
    void deliveriesWithoutIdentityAreNeverTakenForEachOther() {
        Receipt first = committed(delivery(null), todo("q", null));
        Receipt second = committed(delivery(null), todo("q", null));

        assertThat(second.eventId()).isNotEqualTo(first.eventId());
        assertThat(database.value("SELECT count(*) FROM todos")).isEqualTo(2L);
        assertThat(database.value("SELECT count(*) FROM event_keys")).isEqualTo(0L);
    }

    private static final String SIGNATURE = "ab".repeat(32);

    @Test
    void aSignatureThatComesAgainUnderAnotherIdIsADuplicate() {
        Receipt first = committed(signedOnce("a", SIGNATURE), todo("q", "k"));

        Receipt replay = committed(signedOnce("b", SIGNATURE), todo("q", "other"));
        Receipt copy = committed(signedOnce("a", SIGNATURE), todo("q", "k"));
        Receipt honest = committed(signedOnce("c", "cd".repeat(32)));

        assertThat(List.of(replay, copy)).allMatch(Receipt::duplicate).allMatch(r -> r.eventId() == first.eventId());
        assertThat(replay.todos()).extracting(Receipt.Todo::id).containsExactlyElementsOf(ids(first));
        assertThat(honest.duplicate()).isFalse();
        assertThat(database.value("SELECT duplicates FROM event_keys WHERE external_id = 'a'"))
                .isEqualTo(2);
        assertThat(database.value("SELECT count(*) FROM todos")).isEqualTo(1L);
    }

    @Test
    void replaysInOneBatchBecomeOneEvent() {
        List<Receipt> receipts = written(
                waiting(signedOnce("b", SIGNATURE)),
                waiting(signedOnce("a", SIGNATURE)),
                waiting(delivery("c")),
                waiting(signedOnce("a", SIGNATURE)));

        assertThat(database.value("SELECT count(*) FROM events")).isEqualTo(2L);
        assertThat(receipts).extracting(Receipt::duplicate).containsExactly(true, false, false, true);
    }

    @Test
    void aSignatureOfAnotherAccountOrWithoutTheGuardSaysNothing() {
        Receipt first = committed(signedOnce("a", SIGNATURE));

        Receipt foreign = committed(delivery(2L, "b", new byte[0], SIGNATURE));
        Receipt unguarded = committed(delivery("c"));

        assertThat(List.of(first, foreign, unguarded)).noneMatch(Receipt::duplicate);
    }

    @Test
    void aReplayOfAPrunedEventIsStillADuplicateAndOneOfAForgottenIsNot() {
        Receipt first = committed(signedOnce("a", SIGNATURE));
        database.execute("DELETE FROM events");

        Receipt replay = committed(signedOnce("b", SIGNATURE));
        database.execute("DELETE FROM event_keys");
        Receipt later = committed(signedOnce("c", SIGNATURE));

        assertThat(replay).isEqualTo(new Receipt(first.eventId(), true, List.of()));
        assertThat(later.duplicate()).isFalse();
    }

    /** Two hubs and fifty copies of one signed body, each under an id of its own. */
    @Test
    void racingReplaysBecomeOneEvent() {
        try (GroupCommit other = new GroupCommit(context, 2)) {
            List<CompletableFuture<Receipt>> sent = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                Waiting replay = waiting(signedOnce("id-" + i, SIGNATURE));
                sent.add((i % 2 == 0 ? commit : other).submit(replay));
            }
            List<Receipt> receipts = sent.stream().map(CompletableFuture::join).toList();

            assertThat(receipts)
                    .extracting(Receipt::eventId)
                    .containsOnly(receipts.get(0).eventId());
            assertThat(receipts).filteredOn(receipt -> !receipt.duplicate()).hasSize(1);
        }
        assertThat(database.value("SELECT count(*) FROM events")).isEqualTo(1L);
        assertThat(database.value("SELECT duplicates FROM event_keys")).isEqualTo(49);
    }

    @Test
    void aCopyOfAPrunedEventIsStillADuplicate() {
        Receipt first = committed(delivery("a"), todo("q", "k"));
        database.execute("DELETE FROM todos");
        database.execute("DELETE FROM events");

        Receipt second = committed(delivery("a"), todo("q", "k"));

        assertThat(second).isEqualTo(new Receipt(first.eventId(), true, List.of()));
        assertThat(database.value("SELECT count(*) FROM events")).isEqualTo(0L);
    }

    @Test
    void oneDeliveryThatTheDatabaseRefusesFailsAloneAndItsNeighboursCommit() {
        List<Waiting> batch = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            batch.add(
                    i == 5 || i == 12
                            ? waiting(delivery("poison\0" + i), todo("q", "k" + i))
                            : waiting(delivery("d" + i), todo("q", "k" + i)));
        }

        List<Object> outcomes = outcomes(batch);

        assertThat(outcomes).filteredOn(Receipt.class::isInstance).hasSize(14);
        assertThat(outcomes.get(5)).isEqualTo(Refusal.Code.DELIVERY_UNSTORABLE);
        assertThat(outcomes.get(12)).isEqualTo(Refusal.Code.DELIVERY_UNSTORABLE);
        assertThat(database.value("SELECT count(*) FROM events")).isEqualTo(14L);
        assertThat(database.value("SELECT count(*) FROM todos")).isEqualTo(14L);
    }

    @Test
    void nothingIsAcknowledgedWhenCommitItselfFails() {
        refuseAtCommit("source = 'github'");

        List<Object> outcomes = outcomes(List.of(waiting(delivery("a"), todo("q", "k")), waiting(delivery("b"))));

        assertThat(outcomes).containsOnly(Refusal.Code.DATABASE_UNAVAILABLE);
        assertThat(database.value("SELECT count(*) FROM events")).isEqualTo(0L);
        assertThat(database.value("SELECT count(*) FROM event_keys")).isEqualTo(0L);
        assertThat(database.value("SELECT count(*) FROM todos")).isEqualTo(0L);
    }

    @Test
    void aKeyHeldByAFrozenPeerRefusesItsOwnDeliveryAndNobodyElses() throws Exception {
        try (var frozen = database.unpooled().getConnection()) {
            frozen.setAutoCommit(false);
            try (var insert = frozen.createStatement()) {
                insert.execute("INSERT INTO event_keys (account_id, source, external_id, event_id)"
                        + " VALUES (1, 'github', 'held', 1)");
            }

            List<Object> outcomes = outcomes(
                    List.of(waiting(delivery("a")), waiting(delivery("held"), todo("q", "k")), waiting(delivery("b"))));

            assertThat(outcomes.get(0)).isInstanceOf(Receipt.class);
            assertThat(outcomes.get(1)).isEqualTo(Refusal.Code.DATABASE_UNAVAILABLE);
            assertThat(outcomes.get(2)).isInstanceOf(Receipt.class);
            frozen.rollback();
        }
        assertThat(committed(delivery("held"), todo("q", "k")).duplicate()).isFalse();
    }

    @Test
    void racingCopiesBecomeOneEventAndEveryReceiptNamesItsTodos() {
        Random random = new Random(1);
        List<CompletableFuture<Receipt>> all = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            String id = "e" + random.nextInt(1_000);
            String key = "k" + random.nextInt(100);
            all.add(commit.submit(waiting(delivery(id), todo("q" + (id.hashCode() & 3), key), todo("z", null))));
        }

        List<Receipt> receipts = all.stream().map(CompletableFuture::join).toList();

        assertThat(receipts).allSatisfy(receipt -> assertThat(receipt.todos()).isNotEmpty());
        assertThat(receipts)
                .flatExtracting(Receipt::todos)
                .extracting(Receipt.Todo::id)
                .doesNotContainNull();
        long events = (Long) database.value("SELECT count(*) FROM events");
        assertThat(events)
                .isEqualTo(receipts.stream().filter(r -> !r.duplicate()).count());
        assertThat(database.value("SELECT count(DISTINCT external_id) FROM events"))
                .isEqualTo(events);
        assertThat(database.value("SELECT count(*) FROM todos WHERE queue = 'z'"))
                .isEqualTo(events);
        assertThat(database.value("SELECT sum(duplicates) FROM event_keys")).isEqualTo(5_000L - events);
    }

    @Test
    void nobodyWaitsLongerThanTheDeadline() {
        Waiting late =
                new Waiting(delivery("late"), routed(), System.nanoTime() - TimeUnit.SECONDS.toNanos(1), Runnable::run);

        Throwable thrown = catchThrowable(() -> commit.submit(late).join());

        assertThat(code(thrown)).isEqualTo(Refusal.Code.OVERLOADED);
    }

    @Test
    void whatWaitsIsWrittenBeforeTheStop() {
        List<CompletableFuture<Receipt>> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            all.add(commit.submit(waiting(delivery("d" + i), todo("q", null))));
        }

        commit.close();

        assertThat(all).allSatisfy(receipt -> assertThat(receipt).isCompleted());
        assertThat(database.value("SELECT count(*) FROM events")).isEqualTo(1_000L);
        assertThat(code(catchThrowable(
                        () -> commit.submit(waiting(delivery("late"))).join())))
                .isEqualTo(Refusal.Code.STOPPING);
    }

    private Receipt committed(Delivery delivery, TodoDraft... todos) {
        return commit.submit(waiting(delivery, todos)).join();
    }

    /** Writes exactly these as one batch. */
    private List<Receipt> written(Waiting... batch) {
        return outcomes(List.of(batch)).stream().map(Receipt.class::cast).toList();
    }

    private static List<Object> outcomes(List<Waiting> batch) {
        new BatchWriter(context.createProducerTemplate(), untried -> {
                    throw new AssertionError("nothing should be put back");
                })
                .write(batch);
        return batch.stream().map(GroupCommitTest::outcome).toList();
    }

    private static Object outcome(Waiting waiting) {
        assertThat(waiting.receipt()).isDone();
        try {
            return waiting.receipt().join();
        } catch (CompletionException e) {
            return code(e);
        }
    }

    private static Refusal.Code code(Throwable thrown) {
        return ((Refusal) thrown.getCause()).code();
    }

    private static List<java.util.UUID> ids(Receipt receipt) {
        return receipt.todos().stream().map(Receipt.Todo::id).toList();
    }

    private static Waiting waiting(Delivery delivery, TodoDraft... todos) {
        return new Waiting(delivery, routed(todos), System.nanoTime() + TimeUnit.SECONDS.toNanos(10), Runnable::run);
    }

    private static Outcome routed(TodoDraft... todos) {
        return new Outcome(todos.length == 0 ? Disposition.STORED : Disposition.ROUTED, List.of(todos), null);
    }

    private static TodoDraft todo(String queue, String key) {
        return new TodoDraft(queue, "review", "Look at it", key, 0, null, null);
    }

    private static Delivery delivery(String externalId) {
        return delivery(externalId, new byte[] {'{', '}'});
    }

    private static Delivery delivery(String externalId, byte[] payload) {
        return delivery(1L, externalId, payload, null);
    }

    private static Delivery signedOnce(String externalId, String replayKey) {
        return delivery(1L, externalId, new byte[] {'{', '}'}, replayKey);
    }

    private static Delivery delivery(long account, String externalId, byte[] payload, String replayKey) {
        return new Delivery(
                account,
                "github",
                "github",
                Family.WEBHOOK,
                TrustMode.SIGNED,
                true,
                "hmac",
                "push",
                externalId,
                "application/json",
                Map.of("x-github-event", "push"),
                payload,
                "127.0.0.1",
                null,
                replayKey);
    }

    private static void refuseAtCommit(String condition) {
        database.execute("CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$"
                + " BEGIN RAISE EXCEPTION 'refused at commit'; END $$");
        database.execute("CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW WHEN (NEW." + condition + ") EXECUTE FUNCTION refuse()");
    }
}
