package intake;

import adapters.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import model.Delivery;
import model.Receipt;
import model.Refusal;

/** A delivery on its way to a committed receipt. */
final class Waiting {
    private final Delivery delivery;
    private final Outcome outcome;
    private final long deadline;
    private final Executor answers;
    private final CompletableFuture<Receipt> receipt = new CompletableFuture<>();
    private volatile boolean withDatabase;

    /**
     * @param deadline {@link System#nanoTime()} after which nobody waits for the receipt
     * @param answers where the receipt is handed over; has a place for it, and is never a committer's thread
     */
    Waiting(Delivery delivery, Outcome outcome, long deadline, Executor answers) {
        this.delivery = delivery;
        this.outcome = outcome;
        this.deadline = deadline;
        this.answers = answers;
    }

    Delivery delivery() {
        return delivery;
    }

    Outcome outcome() {
        return outcome;
    }

    long deadline() {
        return deadline;
    }

    CompletableFuture<Receipt> receipt() {
        return receipt;
    }

    int bytes() {
        return delivery.payload().length;
    }

    boolean overdue() {
        return deadline - System.nanoTime() < 0;
    }

    /**
     * Whether the database has been asked to write it and has not said how that ended.
     *
     * @param asked true before the transaction, false once it is known that nothing of it was stored
     */
    void withDatabase(boolean asked) {
        withDatabase = asked;
    }

    /** Nobody waits any longer: not stored, or not known. */
    void tooLate() {
        refused(
                withDatabase
                        ? new Refusal(
                                Refusal.Code.COMMIT_UNKNOWN,
                                delivery.source()
                                        + ": the database has not said in time whether it is stored; send again (commit_unknown)")
                        : new Refusal(
                                Refusal.Code.OVERLOADED,
                                delivery.source() + ": not committed in time; send again (overloaded)"));
    }

    void committed(Receipt committed) {
        answers.execute(() -> receipt.complete(committed));
    }

    void refused(Refusal refusal) {
        answers.execute(() -> receipt.completeExceptionally(refusal));
    }
}
