package model;

import java.time.Instant;
import java.util.UUID;

/**
 * A todo as it is stored. {@code docs/todo-lifecycle.md} tells its life.
 *
 * @param attempt numbers its claims: the fence that every verb must name
 * @param failures what was charged against {@code maxAttempts}
 * @param assignee the worker label it is kept for; null for the pool
 * @param owner who holds the lease, or held it when the todo was finished
 * @param worker the label that the owner gave at the claim; history, no part of the fence
 * @param readyAt not before
 * @param eventId the delivery that it came from; null for one made over the API
 * @param payload its own payload as JSON text; null when it has none, or where it was left out
 * @param payloadRef where the payload is when it is not its own: {@code event:<id>}
 * @param createdBy who made it over the API: {@code agent:<name>}, {@code friend:<account>} or an account; null for one of a delivery
 * @param result what completing it said, as JSON text
 */
public record Todo(
        UUID id,
        String queue,
        String source,
        String kind,
        String title,
        String state,
        int priority,
        int attempt,
        int failures,
        int maxAttempts,
        String assignee,
        String owner,
        String worker,
        Instant readyAt,
        Instant leaseExpiresAt,
        Instant createdAt,
        Instant updatedAt,
        Instant claimedAt,
        Instant completedAt,
        Long eventId,
        String payload,
        String payloadRef,
        String idempotencyKey,
        String createdBy,
        String lastError,
        String failedReason,
        String result) {

    /** The same, where its payload does not fit. */
    public Todo withoutPayload() {
        return new Todo(
                id,
                queue,
                source,
                kind,
                title,
                state,
                priority,
                attempt,
                failures,
                maxAttempts,
                assignee,
                owner,
                worker,
                readyAt,
                leaseExpiresAt,
                createdAt,
                updatedAt,
                claimedAt,
                completedAt,
                eventId,
                null,
                payloadRef,
                idempotencyKey,
                createdBy,
                lastError,
                failedReason,
                result);
    }
}
