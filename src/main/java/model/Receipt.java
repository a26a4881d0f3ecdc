package model;

import java.util.List;
import java.util.UUID;

/**
 * What was committed for a delivery.
 *
 * @param eventId the event that holds it; for a duplicate, the event of its first copy
 * @param duplicate whether an earlier copy was met
 * @param todos the todos made or met, in the order of the rules
 */
public record Receipt(long eventId, boolean duplicate, List<Todo> todos) {

    /**
     * @param id the todo's id
     * @param queue where it waits
     * @param created false when an earlier todo with the same key, or of the first copy, was met
     */
    public record Todo(UUID id, String queue, boolean created) {}
}
