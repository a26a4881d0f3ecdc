package access;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A vended scope. It never changes, so what was read of it once stays true until it ends.
 *
 * @param id the owner that claims are fenced by
 * @param holder whose it is: the agent's name, or the friend's account; what {@code assignee} is matched with
 * @param friend whether another account holds it
 * @param queues the only ones that exist for it
 * @param rights what it may do there
 * @param callsAMinute null for as many as it likes
 */
public record Endpoint(
        UUID id, String holder, boolean friend, List<String> queues, Set<Right> rights, Integer callsAMinute) {

    public Endpoint {
        queues = List.copyOf(queues);
        rights = Set.copyOf(rights);
    }
}
