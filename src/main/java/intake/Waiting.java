package intake;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import model.Delivery;
import model.Receipt;
import model.Refusal;

/** A delivery on its way to a committed receipt. */
final class Waiting {
    private final Delivery delivery;
    private final Routed routed;
    private final long deadline;
    private final Executor answers;
    private final CompletableFuture<Receipt> receipt = new CompletableFuture<>();

    /**
     * @param deadline {@link System#nanoTime()} after which nobody waits for the receipt
     * @param answers where the receipt is handed over; has a place for it, and is never a committer's thread
     */
    Waiting(Delivery delivery, Routed routed, long deadline, Executor answers) {
        this.delivery = delivery;
        this.routed = routed;
        this.deadline = deadline;
        this.answers = answers;
    }

    Delivery delivery() {
        return delivery;
    }

    Routed routed() {
        return routed;
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
