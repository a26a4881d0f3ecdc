package adapters;

import java.util.Optional;
import net.Networks;

/**
 * How much an adapter takes in, and from whom.
 *
 * @param concurrency deliveries in the hub at the same time, from the head of the request to its answer
 * @param rate deliveries of all senders together
 * @param ratePerAddress deliveries of one remote address (of IPv6: of one network of 64 bits)
 * @param allow who may connect; empty: everybody
 */
public record Limits(
        Optional<Integer> concurrency, Optional<Rate> rate, Optional<Rate> ratePerAddress, Optional<Networks> allow) {

    /** No limits but those of the hub itself. */
    public static final Limits NONE =
            new Limits(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * How often.
     *
     * @param perSecond how fast the allowance refills
     * @param burst how many at once, at least 1
     */
    public record Rate(double perSecond, int burst) {}
}
