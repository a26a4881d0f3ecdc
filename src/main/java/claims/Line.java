package claims;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Those who wait for one queue, or, without a queue, for any queue of an account. Guarded by the lock of {@link Lines}.
 */
final class Line {
    final long account;

    /** Null: all queues of the account. */
    final String queue;

    /** By place. A waiter stays in its place while it is served, so putting it back in front costs nothing. */
    final NavigableMap<Long, Waiter> waiters = new TreeMap<>();

    /**
     * Must be looked at from the front. Set by whoever joins and by every ring, also while a lane serves the line: what
     * was committed after that lane's snapshot is seen by the next look, not at the re-poll.
     */
    boolean dirty;

    /** A lane serves it. */
    boolean busy;

    /** In the middle of a round that was too long for one statement: up to here everybody was looked at; 0 is the front. */
    long roundReached;

    /** {@link System#nanoTime()} at which it is looked at without having been rung for. */
    long nextLook;

    /** Of an account's line: queues that were rung for or had more than was asked, the next to be looked at first. */
    final Set<String> promising = new LinkedHashSet<>();

    /** Of an account's line: {@link System#nanoTime()} at which all its queues were listed last. */
    long listed;

    boolean listedOnce;

    Line(long account, String queue) {
        this.account = account;
        this.queue = queue;
    }

    boolean wantsService() {
        return !busy && (dirty || roundReached > 0) && !waiters.isEmpty();
    }

    boolean idle() {
        return waiters.isEmpty() && !busy;
    }

    /** Takes the queues that are worth a look first, and forgets them. */
    ArrayDeque<String> takePromising() {
        ArrayDeque<String> taken = new ArrayDeque<>(promising);
        promising.clear();
        return taken;
    }
}
