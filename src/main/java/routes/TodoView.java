package routes;

import adapters.PayloadView;
import claims.ClaimedTodo;
import com.fasterxml.jackson.databind.util.RawValue;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import model.Refusal;
import model.Todo;

/** A todo as the API shows it. */
final class TodoView {
    private TodoView() {}

    /** In a list: neither payload nor result. */
    static Map<String, Object> listed(Todo todo) {
        Map<String, Object> shown = new LinkedHashMap<>(40);
        shown.put("id", todo.id().toString());
        shown.put("queue", todo.queue());
        shown.put("source", todo.source());
        shown.put("kind", todo.kind());
        shown.put("title", todo.title());
        shown.put("state", todo.state());
        shown.put("priority", todo.priority());
        shown.put("attempt", todo.attempt());
        shown.put("failures", todo.failures());
        shown.put("max_attempts", todo.maxAttempts());
        shown.put("assignee", todo.assignee());
        shown.put("owner", todo.owner());
        shown.put("ready_at", time(todo.readyAt()));
        shown.put("lease_expires_at", time(todo.leaseExpiresAt()));
        shown.put("created_at", time(todo.createdAt()));
        shown.put("updated_at", time(todo.updatedAt()));
        shown.put("claimed_at", time(todo.claimedAt()));
        shown.put("completed_at", time(todo.completedAt()));
        shown.put("event_id", todo.eventId());
        shown.put("payload_ref", todo.payloadRef());
        shown.put("idempotency_key", todo.idempotencyKey());
        shown.put("created_by", todo.createdBy());
        shown.put("last_error", todo.lastError());
        shown.put("failed_reason", todo.failedReason());
        return shown;
    }

    /** The answer of a verb: its owner has the payload already. */
    static Map<String, Object> afterVerb(Todo todo) {
        Map<String, Object> shown = listed(todo);
        shown.put("result", raw(todo.result()));
        return shown;
    }

    /** Whole: its own payload, else its event's body where that is JSON. */
    static Map<String, Object> whole(ClaimedTodo claimed, PayloadView payloads) {
        Todo todo = claimed.todo();
        Map<String, Object> shown = afterVerb(todo);
        String payload = todo.payload();
        if (payload == null && claimed.body() != null) {
            payload = payloads.json(todo.source(), claimed.contentType(), claimed.body())
                    .orElse(null);
        }
        shown.put("payload", raw(payload));
        return shown;
    }

    static List<Map<String, Object>> wholes(List<ClaimedTodo> claimed, PayloadView payloads) {
        return claimed.stream().map(one -> whole(one, payloads)).toList();
    }

    /** Whole, with how its attempts ended, the live one last. */
    static Map<String, Object> withAttempts(
            ClaimedTodo claimed, PayloadView payloads, List<Map<String, Object>> ended) {
        Todo todo = claimed.todo();
        Map<String, Object> shown = whole(claimed, payloads);
        List<Map<String, Object>> attempts = new java.util.ArrayList<>();
        for (Map<String, Object> row : ended) {
            attempts.add(attempt(
                    (Integer) row.get("attempt"),
                    (String) row.get("owner"),
                    (String) row.get("worker"),
                    instant(row.get("claimed_at")),
                    instant(row.get("ended_at")),
                    (String) row.get("outcome"),
                    (String) row.get("error")));
        }
        if (todo.leaseExpiresAt() != null) {
            attempts.add(attempt(todo.attempt(), todo.owner(), todo.worker(), todo.claimedAt(), null, null, null));
        }
        shown.put("attempts", attempts);
        return shown;
    }

    private static Map<String, Object> attempt(
            int number, String owner, String worker, Instant claimedAt, Instant endedAt, String outcome, String error) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("attempt", number);
        shown.put("owner", owner);
        shown.put("worker", worker);
        shown.put("claimed_at", time(claimedAt));
        shown.put("ended_at", time(endedAt));
        shown.put("outcome", outcome);
        shown.put("error", error);
        return shown;
    }

    /** One item of a bulk: what happened, in the words that the single call would have used. */
    static Map<String, Object> outcome(String id, Todo completed, Refusal refusal) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", id);
        shown.put("status", refusal == null ? 200 : HttpRefusals.STATUS.get(refusal.code()));
        shown.put("code", refusal == null ? null : refusal.code().word());
        shown.put("detail", refusal == null ? null : refusal.getMessage());
        shown.put("todo", refusal == null ? afterVerb(completed) : null);
        return shown;
    }

    /** JSON as it came, not as text in JSON. */
    private static RawValue raw(String json) {
        return json == null ? null : new RawValue(json);
    }

    private static Instant instant(Object timestamp) {
        return timestamp == null ? null : ((Date) timestamp).toInstant();
    }

    private static String time(Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
