-- Gives claimed todos back: claimed -> pending, at their old place, nothing charged. What is due is announced.
-- :#ids       uuid[]    one element for each item, as in all the arrays
-- :#accounts  bigint[]  the caller's account
-- :#owners    text[]    who must hold the lease
-- :#credentials  bigint[]  what the caller bears; null: the hub itself
-- :#attempts  int[]     the attempt that must be live
-- Returns a row for each item: n (from 1), verdict (changed, repeated, stale, unknown, refused) and, when changed, the todo without
-- its payload. repeated: the same verb by the same owner and attempt was done before and the todo not claimed since.
-- A todo whose lease lapsed was given back already: repeated, too.
WITH asked AS MATERIALIZED (
  SELECT a.n, a.id, a.account_id, a.owner, a.credential_id, a.attempt
  FROM unnest(:#ids::uuid[], :#accounts::bigint[], :#owners::text[], :#credentials::bigint[], :#attempts::int[])
    WITH ORDINALITY AS a(id, account_id, owner, credential_id, attempt, n)
), live AS MATERIALIZED (
  -- once for each credential, however many items it bears
  SELECT g.id, g.account_id, g.queues
  FROM live_credentials g
  WHERE g.id = ANY (:#credentials::bigint[])
), locked AS MATERIALIZED (
  -- by id first, in the one lock order of all verbs
  SELECT t.id, t.account_id, t.queue, t.state, t.attempt, t.owner, t.worker, t.claimed_at, t.last_owner, t.last_outcome
  FROM todos t
  WHERE t.id = ANY (:#ids::uuid[])
  ORDER BY t.id
  FOR UPDATE
), judged AS MATERIALIZED (
  SELECT a.n, a.id, a.owner, a.attempt, l.worker, l.claimed_at,
    CASE
      -- revoked or expired: a node that has not heard of it changes nothing
      WHEN a.credential_id IS NOT NULL AND g.id IS NULL THEN 'refused'
      WHEN l.id IS NULL OR NOT (g.queues IS NULL OR l.queue = ANY (g.queues)) THEN 'unknown'
      WHEN l.attempt <> a.attempt THEN 'stale'
      WHEN l.state = 'claimed' AND l.owner = a.owner THEN 'changed'
      WHEN l.state <> 'claimed' AND l.last_owner = a.owner AND l.last_outcome IN ('released', 'lease_expired') THEN 'repeated'
      ELSE 'stale'
    END AS verdict
  FROM asked a
  LEFT JOIN live g ON g.id = a.credential_id AND g.account_id = a.account_id
  LEFT JOIN locked l ON l.id = a.id AND l.account_id = a.account_id
), first AS MATERIALIZED (
  SELECT DISTINCT ON (j.id) j.id, j.owner, j.attempt, j.worker, j.claimed_at
  FROM judged j
  WHERE j.verdict = 'changed'
  ORDER BY j.id, j.n
), changed AS (
  UPDATE todos t
  SET state = 'pending',
      due = t.held IS NULL,
      owner = NULL,
      worker = NULL,
      claimed_at = NULL,
      lease_expires_at = NULL,
      last_owner = f.owner,
      last_outcome = 'released',
      updated_at = now()
  FROM first f
  WHERE t.id = f.id AND t.id = ANY (:#ids::uuid[])
  RETURNING t.account_id, t.due, t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
    t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
    NULL::text AS payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result::text AS result
), kept AS MATERIALIZED (
  SELECT coalesce(max(s.value::int), 50) AS attempts FROM settings s WHERE s.key = 'todo_attempts_kept'
), history AS (
  -- after a lapse that nobody followed up, the row is there already
  INSERT INTO todo_attempts (todo_id, attempt, owner, worker, claimed_at, ended_at, outcome, error)
  SELECT f.id, f.attempt, f.owner, f.worker, f.claimed_at, now(), 'released', NULL
  FROM first f
  ON CONFLICT (todo_id, attempt) DO UPDATE
  SET ended_at = excluded.ended_at, outcome = excluded.outcome, error = excluded.error
), trimmed AS (
  -- attempts are numbered without gaps, so each that ends pushes out the one that is too many
  DELETE FROM todo_attempts h
  USING first f
  WHERE f.attempt > (SELECT kept.attempts FROM kept) AND h.todo_id = f.id AND h.attempt <= f.attempt - (SELECT kept.attempts FROM kept)
)
SELECT j.n, j.verdict, t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result
FROM judged j
LEFT JOIN changed t ON t.id = j.id AND j.verdict = 'changed',
  -- referenced, because a CTE that nobody reads never runs; once for each queue, because notifications serialise commits
  (SELECT count(pg_notify('todo_ready', q.account_id || ':' || q.queue))
   FROM (SELECT DISTINCT c.account_id, c.queue FROM changed c WHERE c.state = 'pending' AND c.due) q) AS announced
ORDER BY j.n
