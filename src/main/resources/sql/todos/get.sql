-- Reads one todo whole.
-- :#account  bigint  the caller's account
-- :#id       uuid    the todo
-- :#queues   text[]  those that the caller may see; null: all
-- Returns the todo; no row: unknown.
SELECT t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload::text AS payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result::text AS result
FROM todos t
WHERE t.account_id = :#account AND t.id = :#id::uuid AND (:#queues::text[] IS NULL OR t.queue = ANY (:#queues::text[]))
