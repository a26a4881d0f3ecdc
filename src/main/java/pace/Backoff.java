package pace;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Waits between attempts: doubling from the first to the longest, each shortened by up to a half so that nodes do not
 * knock together. Used by one thread, or under its owner's lock.
 */
public final class Backoff {
    private final long firstMillis;
    private final long longestMillis;
    private long next;

    public Backoff(Duration first, Duration longest) {
        this.firstMillis = first.toMillis();
        this.longestMillis = longest.toMillis();
        this.next = firstMillis;
    }

    public Duration next() {
        long upper = next;
        next = Math.min(longestMillis, 2 * next);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(upper / 2, upper + 1));
    }

    public void reset() {
        next = firstMillis;
    }
}
