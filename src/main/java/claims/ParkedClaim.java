package claims;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A claim that was taken in; its answer comes when there is something, or when its wait is over. */
public final class ParkedClaim {
    private final Desk desk;
    private final Waiter waiter;

    ParkedClaim(Desk desk, Waiter waiter) {
        this.desk = desk;
        this.waiter = waiter;
    }

    /** The claimed todos, none after a wait in vain; a {@code model.Refusal} when nobody could look. */
    public CompletableFuture<List<ClaimedTodo>> answer() {
        return waiter.answer;
    }

    /** Answers now, with what there is. */
    public void endWait() {
        desk.endWait(waiter);
    }

    /** Nobody is there any more who could take the answer: nothing is claimed, and what was is given back. */
    public void abandon() {
        desk.abandon(waiter);
    }
}
