package pace;

import java.util.concurrent.TimeUnit;

/** How often somebody may do something: a token bucket that is refilled evenly. Safe to use from several threads. */
public final class Allowance {
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    private final double perSecond;
    private final double burst;
    private double left;
    private long asked = System.nanoTime();

    /**
     * @param perSecond how fast it refills
     * @param burst how much there is at once, at least 1; so much there is at the beginning
     */
    public Allowance(double perSecond, double burst) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.left = burst;
    }

    /** Takes one. Returns 0, or the whole seconds to wait when there is none left. */
    public synchronized int take() {
        refill();
        if (left >= 1) {
            left--;
            return 0;
        }
        return (int) Math.max(1, Math.ceil((1 - left) / perSecond));
    }

    /** Nothing would be forgotten with it. */
    public synchronized boolean isFull() {
        refill();
        return left >= burst;
    }

    private void refill() {
        long now = System.nanoTime();
        left = Math.min(burst, left + (now - asked) / SECOND * perSecond);
        asked = now;
    }
}
