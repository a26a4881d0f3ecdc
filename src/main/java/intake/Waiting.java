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

    void committed(Receipt committed) {
        answers.execute(() -> receipt.complete(committed));
    }

    void refused(Refusal refusal) {
        answers.execute(() -> receipt.completeExceptionally(refusal));
    }
}
