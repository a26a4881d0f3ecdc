package pgevent;

import java.time.Duration;

/**
 * Keeps a loop from flooding the log: at most one line a second. The last thing said is never swallowed, because the last
 * line is the one that tells how things stand. Used by one thread.
 */
final class Pace {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private long last = System.nanoTime() - SECOND;
    private Runnable unsaid;

    /** Logs now, or with {@link #catchUp} unless something newer is said by then. */
    void say(Runnable line) {
        unsaid = line;
        catchUp();
    }

    /** Logs what is still unsaid, when its time has come. */
    void catchUp() {
        if (unsaid != null && permits()) {
            unsaid.run();
            unsaid = null;
        }
    }

    /** Whether a line may be logged now; a yes uses the second up. */
    boolean permits() {
        long now = System.nanoTime();
        if (now - last < SECOND) {
            return false;
        }
        last = now;
        return true;
    }
}
