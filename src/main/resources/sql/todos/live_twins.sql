-- Finds the live todos that hold keys. A statement of its own: it sees what the insert waited for.
-- :#accounts  bigint[]  whose; one element for each key, as in all the arrays
-- :#queues    text[]    where
-- :#keys      text[]    the idempotency key
-- Returns n (from 1) and the live todo; no row when it finished in between.
SELECT a.n, t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload::text AS payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result::text AS result
FROM unnest(:#accounts::bigint[], :#queues::text[], :#keys::text[]) WITH ORDINALITY AS a(account_id, queue, key, n)
JOIN todos t ON t.account_id = a.account_id AND t.queue = a.queue AND t.idempotency_key = a.key
  -- the predicate of idx_todos_dedupe, word for word
  AND t.idempotency_key IS NOT NULL AND t.state <> 'done' AND t.state <> 'failed'
ORDER BY a.n
