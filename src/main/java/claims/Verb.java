package claims;

import java.util.UUID;
import model.Todo;

/** What owners ask of todos they hold, and what creators ask for: the items of the batched statements. */
public final class Verb {
    private Verb() {}

    /**
     * The fence: which attempt of which todo, and whose.
     *
     * @param credential what the caller bears: the statement asks whether it still lives; null for the hub itself
     * @param attempt the number that the claim answered
     */
    public record Attempt(UUID id, long account, Long credential, String owner, int attempt) {}

    /**
     * @param worker for the history; may be null
     * @param assignee what a todo that is kept for somebody is matched with
     * @param leaseSeconds null for as long as the endpoint or the queue says
     */
    public record ClaimOne(
            UUID id,
            long account,
            Long credential,
            String owner,
            String worker,
            String assignee,
            Integer leaseSeconds) {}

    /**
     * @param leaseSeconds from now; null for as long as the queue says
     */
    public record Heartbeat(Attempt attempt, Integer leaseSeconds) {}

    /**
     * @param result JSON text that jsonb takes; may be null
     */
    public record Complete(Attempt attempt, String result) {}

    /**
     * @param error what went wrong, for people
     * @param retryInSeconds null for the queue's backoff
     * @param dead whether no further attempt makes sense
     */
    public record Fail(Attempt attempt, String error, Integer retryInSeconds, boolean dead) {}

    /**
     * @param payload JSON text that jsonb takes; may be null
     * @param readyAt RFC 3339; null for at once
     * @param maxAttempts null for the queue's cap
     */
    public record Create(
            UUID id,
            long account,
            Long credential,
            String creator,
            String queue,
            String title,
            String kind,
            String payload,
            String idempotencyKey,
            String assignee,
            int priority,
            String readyAt,
            Integer maxAttempts) {}

    /** @param created false when a live todo holds the key; then it is that one */
    public record Created(Todo todo, boolean created) {}
}
