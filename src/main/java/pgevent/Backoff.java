package pgevent;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Waits between attempts: 50 ms doubling to 2 s, each shortened by up to a half so that nodes do not knock together. */
final class Backoff {
    private static final long FIRST_MILLIS = 50;
    private static final long LONGEST_MILLIS = 2000;

    private long next = FIRST_MILLIS;

    Duration next() {
        long upper = next;
        next = Math.min(LONGEST_MILLIS, 2 * next);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(upper / 2, upper + 1));
    }

    void reset() {
        next = FIRST_MILLIS;
    }
}
