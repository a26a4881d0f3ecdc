package access;

import java.util.concurrent.TimeUnit;

/** How often an endpoint may call: a minute's worth at once, refilled evenly. */
final class Allowance {
    private static final double MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final int callsAMinute;
    private double left;
    private long asked = System.nanoTime();

    Allowance(int callsAMinute) {
        this.callsAMinute = callsAMinute;
        this.left = callsAMinute;
    }

    /** Takes one call. Returns 0, or the whole seconds to wait when there is none left. */
    synchronized int take() {
        refill();
        if (left >= 1) {
            left--;
            return 0;
        }
        return (int) Math.max(1, Math.ceil((1 - left) * 60 / callsAMinute));
    }

    /** Nothing would be forgotten with it. */
    synchronized boolean isFull() {
        refill();
        return left >= callsAMinute;
    }

    private void refill() {
        long now = System.nanoTime();
        left = Math.min(callsAMinute, left + (now - asked) / MINUTE * callsAMinute);
        asked = now;
    }
}
