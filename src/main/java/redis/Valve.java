package redis;

import java.time.Duration;
import java.util.Optional;
import pace.Backoff;

/**
 * Whether anything new is read. A failure that passes (no database, no room) shuts it for a while; then what is pending
 * already is tried, and the first thing that gets through opens it.
 */
final class Valve {
    /** How it stands. */
    enum Position {
        OPEN,
        SHUT,
        TRYING
    }

    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
    private Position position = Position.OPEN;
    private long shutUntil;
    private String reason;

    /** @return whether it was open */
    synchronized boolean shut(String why) {
        boolean wasOpen = position == Position.OPEN;
        // those that were on their way together fail together, and count as one
        if (position != Position.SHUT) {
            position = Position.SHUT;
            shutUntil = System.nanoTime() + backoff.next().toNanos();
        }
        reason = why;
        return wasOpen;
    }

    /** @return whether it was not open */
    synchronized boolean open() {
        boolean wasOpen = position == Position.OPEN;
        position = Position.OPEN;
        reason = null;
        backoff.reset();
        return !wasOpen;
    }

    synchronized Position position() {
        if (position == Position.SHUT && shutUntil - System.nanoTime() <= 0) {
            position = Position.TRYING;
        }
        return position;
    }

    /** Why it is not open; empty when it is. */
    synchronized Optional<String> reason() {
        return Optional.ofNullable(reason);
    }
}
