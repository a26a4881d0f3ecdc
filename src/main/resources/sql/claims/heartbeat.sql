-- Extends the leases of claimed todos, counted from now. A lease that has lapsed is not revived.
-- :#ids       uuid[]    one element for each item, as in all the arrays
-- :#accounts  bigint[]  the caller's account
-- :#owners    text[]    who must hold the lease
-- :#credentials  bigint[]  what the caller bears; null: the hub itself
-- :#attempts  int[]     the attempt that must be live
-- :#leases    int[]     seconds from now; null: as the endpoint says, else the queue; never more than the endpoint may
-- Returns a row for each item: n (from 1), verdict (changed, stale, unknown, refused) and, when changed, the todo without its payload.
WITH asked AS MATERIALIZED (
  SELECT a.n, a.id, a.account_id, a.owner, a.credential_id, a.attempt, a.lease_seconds
  FROM unnest(:#ids::uuid[], :#accounts::bigint[], :#owners::text[], :#credentials::bigint[], :#attempts::int[], :#leases::int[])
    WITH ORDINALITY AS a(id, account_id, owner, credential_id, attempt, lease_seconds, n)
), live AS MATERIALIZED (
  -- once for each credential, however many items it bears
  SELECT g.id, g.account_id, g.queues, g.lease_seconds, g.max_lease_seconds
  FROM live_credentials g
  WHERE g.id = ANY (:#credentials::bigint[])
), locked AS MATERIALIZED (
  -- by id first, in the one lock order of all verbs
  SELECT t.id, t.account_id, t.queue, t.state, t.attempt, t.owner, t.lease_expires_at
  FROM todos t
  WHERE t.id = ANY (:#ids::uuid[])
  ORDER BY t.id
  FOR UPDATE
), judged AS MATERIALIZED (
  SELECT a.n, a.id, coalesce(a.lease_seconds, g.lease_seconds) AS lease_seconds, g.max_lease_seconds, l.account_id, l.queue,
    CASE
      -- revoked or expired: a node that has not heard of it changes nothing
      WHEN a.credential_id IS NOT NULL AND g.id IS NULL THEN 'refused'
      WHEN l.id IS NULL OR NOT (g.queues IS NULL OR l.queue = ANY (g.queues)) THEN 'unknown'
      WHEN l.state = 'claimed' AND l.owner = a.owner AND l.attempt = a.attempt AND l.lease_expires_at > now() THEN 'changed'
      ELSE 'stale'
    END AS verdict
  FROM asked a
  LEFT JOIN live g ON g.id = a.credential_id AND g.account_id = a.account_id
  LEFT JOIN locked l ON l.id = a.id AND l.account_id = a.account_id
), last AS MATERIALIZED (
  -- of two heartbeats for one todo the later one counts
  SELECT DISTINCT ON (j.id) j.id, least(coalesce(j.lease_seconds, q.lease_seconds, 300), j.max_lease_seconds) AS lease_seconds
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
    NULL::text AS payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result::text AS result
)
SELECT j.n, j.verdict, t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result
FROM judged j
LEFT JOIN changed t ON t.id = j.id AND j.verdict = 'changed'
ORDER BY j.n
