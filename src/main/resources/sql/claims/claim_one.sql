-- Claims todos by their ids, each for its own caller. Of two callers who want the same one, the first gets it.
-- :#ids       uuid[]    one element for each caller, as in all the arrays
-- :#accounts  bigint[]  the caller's account
-- :#owners    text[]    who will hold the lease
-- :#workers   text[]    the caller's label; may be null
-- :#assignees  text[]   what assignee is matched with; null: from the pool alone
-- :#leases    int[]     seconds; null: as the endpoint says, else the queue; never more than the endpoint may
-- :#credentials  bigint[]  what the caller bears; null: the hub itself
-- Returns a row for each caller: n (from 1), verdict (changed, not_claimable, unknown, refused) and, when changed, the claimed todo.
WITH asked AS MATERIALIZED (
  SELECT a.n, a.id, a.account_id, a.owner, a.worker, a.assignee, a.lease_seconds, a.credential_id
  FROM unnest(:#ids::uuid[], :#accounts::bigint[], :#owners::text[], :#workers::text[], :#assignees::text[], :#leases::int[],
              :#credentials::bigint[])
    WITH ORDINALITY AS a(id, account_id, owner, worker, assignee, lease_seconds, credential_id, n)
), live AS MATERIALIZED (
  -- once for each credential, however many items it bears
  SELECT g.id, g.account_id, g.queues, g.lease_seconds, g.max_lease_seconds
  FROM live_credentials g
  WHERE g.id = ANY (:#credentials::bigint[])
), locked AS MATERIALIZED (
  -- in the one lock order of all verbs
  SELECT t.id, t.account_id, t.queue, t.state, t.due, t.assignee
  FROM todos t
  WHERE t.id = ANY (:#ids::uuid[])
  ORDER BY t.id
  FOR UPDATE
), judged AS MATERIALIZED (
  SELECT a.n, a.id, a.owner, a.worker, coalesce(a.lease_seconds, g.lease_seconds, q.lease_seconds, 300) AS lease_seconds, g.max_lease_seconds,
    CASE
      -- revoked or expired: a node that has not heard of it changes nothing
      WHEN a.credential_id IS NOT NULL AND g.id IS NULL THEN 'refused'
      WHEN l.id IS NULL OR NOT (g.queues IS NULL OR l.queue = ANY (g.queues)) THEN 'unknown'
      WHEN l.state = 'pending' AND l.due AND (l.assignee IS NULL OR l.assignee = a.assignee) AND NOT coalesce(q.paused, false) THEN 'changed'
      ELSE 'not_claimable'
    END AS verdict
  FROM asked a
  LEFT JOIN live g ON g.id = a.credential_id AND g.account_id = a.account_id
  LEFT JOIN locked l ON l.id = a.id AND l.account_id = a.account_id
  LEFT JOIN queues q ON q.account_id = l.account_id AND q.name = l.queue
), first AS MATERIALIZED (
  SELECT DISTINCT ON (j.id) j.n, j.id, j.owner, j.worker, least(j.lease_seconds, j.max_lease_seconds) AS lease_seconds
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
  t.payload::text AS payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result
)
SELECT j.n, CASE WHEN j.verdict = 'changed' AND t.id IS NULL THEN 'not_claimable' ELSE j.verdict END AS verdict,
  t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result
FROM judged j
LEFT JOIN changed t ON t.n = j.n
ORDER BY j.n
