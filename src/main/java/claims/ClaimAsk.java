package claims;

import java.time.Duration;
import java.util.List;

/**
 * What an agent asks for.
 *
 * @param account whose todos
 * @param credential what the caller bears: the statement asks whether it still lives; null for the hub itself
 * @param owner who will hold the leases
 * @param worker the caller's label, for the history; may be null
 * @param assignee what todos that are kept for somebody are matched with; null for the pool alone
 * @param queues in the order in which to look; empty for all queues of the account, also those made later
 * @param limit how many todos at most
 * @param leaseSeconds null for as long as the queue says
 * @param patience how long to wait for a first todo; zero to look once
 * @param maxBytes how many bytes of payload the answer may hold
 */
public record ClaimAsk(
        long account,
        Long credential,
        String owner,
        String worker,
        String assignee,
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
