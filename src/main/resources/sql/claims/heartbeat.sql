-- Extends the leases of claimed todos, counted from now. A lease that has lapsed is not revived.
-- :#ids       uuid[]    one element for each item, as in all the arrays
-- :#accounts  bigint[]  the caller's account
-- :#owners    text[]    who must hold the lease
-- :#attempts  int[]     the attempt that must be live
-- :#leases    int[]     seconds from now; null: as the queue says
-- Returns a row for each item: n (from 1), verdict (changed, stale, unknown) and, when changed, the todo without its payload.
WITH asked AS MATERIALIZED (
  SELECT a.n, a.id, a.account_id, a.owner, a.attempt, a.lease_seconds
  FROM unnest(:#ids::uuid[], :#accounts::bigint[], :#owners::text[], :#attempts::int[], :#leases::int[])
    WITH ORDINALITY AS a(id, account_id, owner, attempt, lease_seconds, n)
), locked AS MATERIALIZED (
  -- by id first, in the one lock order of all verbs
  SELECT t.id, t.account_id, t.queue, t.state, t.attempt, t.owner, t.lease_expires_at
  FROM todos t
  WHERE t.id = ANY (:#ids::uuid[])
  ORDER BY t.id
  FOR UPDATE
), judged AS MATERIALIZED (
  SELECT a.n, a.id, a.lease_seconds, l.account_id, l.queue,
    CASE
      WHEN l.id IS NULL THEN 'unknown'
      WHEN l.state = 'claimed' AND l.owner = a.owner AND l.attempt = a.attempt AND l.lease_expires_at > now() THEN 'changed'
      ELSE 'stale'
    END AS verdict
  FROM asked a
  LEFT JOIN locked l ON l.id = a.id AND l.account_id = a.account_id
), last AS MATERIALIZED (
  -- of two heartbeats for one todo the later one counts
  SELECT DISTINCT ON (j.id) j.id, coalesce(j.lease_seconds, q.lease_seconds, 300) AS lease_seconds
  FROM judged j
  LEFT JOIN queues q ON q.account_id = j.account_id AND q.name = j.queue
  WHERE j.verdict = 'changed'
  ORDER BY j.id, j.n DESC
), changed AS (
  UPDATE todos t
  SET lease_expires_at = now() + l.lease_seconds * interval '1 second',
      updated_at = now()
  FROM last l
  WHERE t.id = l.id AND t.id = ANY (:#ids::uuid[])
  RETURNING t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
    t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
    NULL::text AS payload, t.payload_ref, t.idempotency_key, t.last_error, t.failed_reason, t.result::text AS result
)
SELECT j.n, j.verdict, t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload, t.payload_ref, t.idempotency_key, t.last_error, t.failed_reason, t.result
FROM judged j
LEFT JOIN changed t ON t.id = j.id AND j.verdict = 'changed'
ORDER BY j.n
