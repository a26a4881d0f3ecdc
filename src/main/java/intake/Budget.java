package intake;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much of something, bytes or deliveries, may be held between a door and its receipt. One holder, an adapter or a
 * remote address, has at most a quarter, so that one sender cannot shut out the others.
 */
public final class Budget {
    private final long total;
    private final long share;
    private final Map<String, Long> held = new HashMap<>();
    private long used;

    /**
     * @param total in the unit of the caller, at least 4
     */
    public Budget(long total) {
        this.total = total;
        this.share = Math.max(1, total / 4);
    }

    /** An empty hold in the names of all who answer for it. */
    public Hold hold(List<String> holders) {
        return new Hold(holders);
    }

    /** What is held now, by everybody. */
    public synchronized long used() {
        return used;
    }

    /** What one delivery holds. Safe to use from several threads. */
    public final class Hold {
        private final List<String> holders;
        private long mine;
        private boolean over;

        private Hold(List<String> holders) {
            this.holders = holders;
        }

        /** Takes more; false, and nothing taken, when the total or a holder's share does not allow it. */
        public boolean take(long more) {
            synchronized (Budget.this) {
                if (over || used + more > total) {
                    return false;
                }
                for (String holder : holders) {
                    if (held.getOrDefault(holder, 0L) + more > share) {
                        return false;
                    }
                }
                used += more;
                mine += more;
                holders.forEach(holder -> held.merge(holder, more, Long::sum));
                return true;
            }
        }

        /** Gives everything back, once. */
        public void giveBack() {
            synchronized (Budget.this) {
                if (over) {
                    return;
                }
                over = true;
                used -= mine;
                for (String holder : holders) {
                    held.computeIfPresent(holder, (name, sum) -> sum == mine ? null : sum - mine);
                }
            }
        }
    }
}
