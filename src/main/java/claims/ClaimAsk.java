package claims;

import java.time.Duration;
import java.util.List;

/**
 * What an agent asks for.
 *
 * @param account whose todos
 * @param owner who will hold the leases
 * @param worker the caller's label: history, and what {@code assignee} is matched with; may be null
 * @param queues in the order in which to look; empty for all queues of the account, also those made later
 * @param limit how many todos at most
 * @param leaseSeconds null for as long as the queue says
 * @param patience how long to wait for a first todo; zero to look once
 * @param maxBytes how many bytes of payload the answer may hold
 */
public record ClaimAsk(
        long account,
        String owner,
        String worker,
        List<String> queues,
        int limit,
        Integer leaseSeconds,
        Duration patience,
        int maxBytes) {

    public ClaimAsk {
        // a queue named twice is looked at once
        queues = queues.stream().distinct().toList();
    }
}
