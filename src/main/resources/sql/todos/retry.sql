-- Gives a failed todo another life: failed -> pending and due, failures 0; the history and the attempt number stay. Announced.
-- :#account  bigint  the caller's account
-- :#id       uuid    the todo
-- :#credential  bigint  what the caller bears; null: the hub itself
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns verdict (changed, not_failed, live_twin) and the todo, or the live twin that holds its key; no row: unknown, or out of the caller's scope.
-- A twin that appears meanwhile is a unique violation (23505): ask again.
WITH locked AS MATERIALIZED (
  SELECT t.id, t.account_id, t.queue, t.state, t.idempotency_key
  FROM todos t
  WHERE t.account_id = :#account AND t.id = :#id::uuid
    AND (:#credential::bigint IS NULL
         OR EXISTS (SELECT FROM live_credentials g
                    WHERE g.id = :#credential AND g.account_id = :#account AND (g.queues IS NULL OR t.queue = ANY (g.queues))))
  FOR UPDATE
), twin AS MATERIALIZED (
  SELECT t.id
  FROM locked l
  JOIN todos t ON t.account_id = l.account_id AND t.queue = l.queue AND t.idempotency_key = l.idempotency_key
    -- the predicate of idx_todos_dedupe, word for word
    AND t.idempotency_key IS NOT NULL AND t.state <> 'done' AND t.state <> 'failed'
  WHERE l.state = 'failed'
), changed AS (
  UPDATE todos t
  SET state = 'pending',
      due = t.held IS NULL,
      ready_at = now(),
      owner = NULL,
      worker = NULL,
      claimed_at = NULL,
      completed_at = NULL,
      failures = 0,
      failed_reason = NULL,
      updated_at = now()
  FROM locked l
  WHERE t.id = l.id AND l.state = 'failed' AND NOT EXISTS (SELECT FROM twin)
  RETURNING t.account_id, t.due, t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload::text AS payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result::text AS result
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT c.account_id, :#audit_id::uuid, :#actor, 'todo.retry', c.id::text, jsonb_build_object('queue', c.queue), :#source_ip::inet
  FROM changed c
), announced AS MATERIALIZED (
  SELECT count(pg_notify('todo_ready', c.account_id || ':' || c.queue)) AS n FROM changed c WHERE c.due
)
SELECT 'changed' AS verdict, t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result
FROM changed t, announced
UNION ALL
SELECT CASE WHEN twin.id IS NULL THEN 'not_failed' ELSE 'live_twin' END AS verdict, t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload::text AS payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result::text AS result
FROM locked l
LEFT JOIN twin ON true
JOIN todos t ON t.id = coalesce(twin.id, l.id)
WHERE NOT EXISTS (SELECT FROM changed)
