-- Claims todos by their ids, each for its own caller. Of two callers who want the same one, the first gets it.
-- :#ids       uuid[]    one element for each caller, as in all the arrays
-- :#accounts  bigint[]  the caller's account
-- :#owners    text[]    who will hold the lease
-- :#workers   text[]    the caller's label, matched with assignee; may be null
-- :#leases    int[]     seconds; null: as the queue says
-- Returns a row for each caller: n (from 1), verdict (changed, not_claimable, unknown) and, when changed, the claimed todo.
WITH asked AS MATERIALIZED (
  SELECT a.n, a.id, a.account_id, a.owner, a.worker, a.lease_seconds
  FROM unnest(:#ids::uuid[], :#accounts::bigint[], :#owners::text[], :#workers::text[], :#leases::int[])
    WITH ORDINALITY AS a(id, account_id, owner, worker, lease_seconds, n)
), locked AS MATERIALIZED (
  -- in the one lock order of all verbs
  SELECT t.id, t.account_id, t.queue, t.state, t.due, t.assignee
  FROM todos t
  WHERE t.id = ANY (:#ids::uuid[])
  ORDER BY t.id
  FOR UPDATE
), judged AS MATERIALIZED (
  SELECT a.n, a.id, a.owner, a.worker, a.lease_seconds, q.lease_seconds AS queue_lease_seconds,
    CASE
      WHEN l.id IS NULL THEN 'unknown'
      WHEN l.state = 'pending' AND l.due AND (l.assignee IS NULL OR l.assignee = a.worker) AND NOT coalesce(q.paused, false) THEN 'changed'
      ELSE 'not_claimable'
    END AS verdict
  FROM asked a
  LEFT JOIN locked l ON l.id = a.id AND l.account_id = a.account_id
  LEFT JOIN queues q ON q.account_id = l.account_id AND q.name = l.queue
), first AS MATERIALIZED (
  SELECT DISTINCT ON (j.id) j.n, j.id, j.owner, j.worker, coalesce(j.lease_seconds, j.queue_lease_seconds, 300) AS lease_seconds
  FROM judged j
  WHERE j.verdict = 'changed'
  ORDER BY j.id, j.n
), changed AS (
  UPDATE todos t
  SET state = 'claimed',
      owner = f.owner,
      worker = f.worker,
      attempt = t.attempt + 1,
      claimed_at = now(),
      lease_expires_at = now() + f.lease_seconds * interval '1 second',
      updated_at = now()
  FROM first f
  WHERE t.id = f.id AND t.id = ANY (:#ids::uuid[])
  RETURNING f.n, t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload::text AS payload, t.payload_ref, t.idempotency_key, t.last_error, t.failed_reason, t.result
)
SELECT j.n, CASE WHEN j.verdict = 'changed' AND t.id IS NULL THEN 'not_claimable' ELSE j.verdict END AS verdict,
  t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload, t.payload_ref, t.idempotency_key, t.last_error, t.failed_reason, t.result
FROM judged j
LEFT JOIN changed t ON t.n = j.n
ORDER BY j.n
