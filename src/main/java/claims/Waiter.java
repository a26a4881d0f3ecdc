package claims;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import model.Refusal;

/** A claim that stands in line. Everything but its answer is guarded by the lock of {@link Lines}. */
final class Waiter {
    final ClaimAsk ask;
    final CompletableFuture<List<ClaimedTodo>> answer = new CompletableFuture<>();
    final List<ClaimedTodo> got = new ArrayList<>();

    /** Its place: who came first is filled first. */
    long place;

    /** A lane is claiming for it: nobody else may touch it until it is settled. */
    boolean taken;

    /** How many of its queues were looked at, in the order asked, since it came. */
    int looked;

    /** Lines that came to it while it was taken, and must come again. */
    final List<Line> missed = new ArrayList<>();

    /** The wait is over, or was none: it is answered as soon as it has been looked for everywhere. */
    boolean hasWaited;

    /** Nobody is there any more who could take the answer. Read once more, without the lock, just before it is given. */
    volatile boolean gone;

    /** Its credential ended: it is answered with this, and what was claimed for it goes back. */
    volatile Refusal refused;

    boolean settled;

    /** Why the last look failed; null after one that worked. */
    Refusal fault;

    volatile ScheduledFuture<?> alarm;

    Waiter(ClaimAsk ask) {
        this.ask = ask;
        this.hasWaited = ask.patience().isZero();
    }

    int wanted() {
        return ask.limit() - got.size();
    }

    boolean lookedEverywhere() {
        return looked >= Math.max(1, ask.queues().size());
    }

    /** The queue that comes next in the first round; null for all queues, or when the round is over. */
    String next() {
        return looked < ask.queues().size() ? ask.queues().get(looked) : null;
    }
}
