-- Ends attempts well: claimed -> done, with a result. Also after the lease lapsed, as long as nobody claimed the todo since.
-- :#ids       uuid[]    one element for each item, as in all the arrays
-- :#accounts  bigint[]  the caller's account
-- :#owners    text[]    who must hold, or have held last, the lease
-- :#credentials  bigint[]  what the caller bears; null: the hub itself
-- :#attempts  int[]     the attempt that must be the todo's latest
-- :#results   text[]    JSON; may be null
-- Returns a row for each item: n (from 1), verdict (changed, repeated, stale, unknown, refused) and, when changed, the todo without
-- its payload. repeated: the same verb by the same owner and attempt was done before and the todo not claimed since.
WITH asked AS MATERIALIZED (
  SELECT a.n, a.id, a.account_id, a.owner, a.credential_id, a.attempt, a.result
  FROM unnest(:#ids::uuid[], :#accounts::bigint[], :#owners::text[], :#credentials::bigint[], :#attempts::int[], :#results::text[])
    WITH ORDINALITY AS a(id, account_id, owner, credential_id, attempt, result, n)
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
  SELECT a.n, a.id, a.owner, a.attempt, a.result, l.worker, l.claimed_at,
    CASE
      -- revoked or expired: a node that has not heard of it changes nothing
      WHEN a.credential_id IS NOT NULL AND g.id IS NULL THEN 'refused'
      WHEN l.id IS NULL OR NOT (g.queues IS NULL OR l.queue = ANY (g.queues)) THEN 'unknown'
      WHEN l.attempt <> a.attempt THEN 'stale'
      WHEN l.state = 'claimed' AND l.owner = a.owner THEN 'changed'
      -- the reaper took it back, and it still waits
      WHEN l.state = 'pending' AND l.last_owner = a.owner AND l.last_outcome = 'lease_expired' THEN 'changed'
      WHEN l.state <> 'claimed' AND l.last_owner = a.owner AND l.last_outcome = 'completed' THEN 'repeated'
      ELSE 'stale'
    END AS verdict
  FROM asked a
  LEFT JOIN live g ON g.id = a.credential_id AND g.account_id = a.account_id
  LEFT JOIN locked l ON l.id = a.id AND l.account_id = a.account_id
), first AS MATERIALIZED (
  SELECT DISTINCT ON (j.id) j.id, j.owner, j.attempt, j.result, j.worker, j.claimed_at
  FROM judged j
  WHERE j.verdict = 'changed'
  ORDER BY j.id, j.n
), changed AS (
  UPDATE todos t
  SET state = 'done',
      due = true,
      owner = f.owner,
      -- the reaper cleared both when it took the todo back; the history knows them
      worker = CASE t.state WHEN 'claimed' THEN t.worker
        ELSE (SELECT h.worker FROM todo_attempts h WHERE h.todo_id = f.id AND h.attempt = f.attempt) END,
      claimed_at = CASE t.state WHEN 'claimed' THEN t.claimed_at
        ELSE (SELECT h.claimed_at FROM todo_attempts h WHERE h.todo_id = f.id AND h.attempt = f.attempt) END,
      lease_expires_at = NULL,
      completed_at = now(),
      result = f.result::jsonb,
      last_owner = f.owner,
      last_outcome = 'completed',
      updated_at = now()
  FROM first f
  WHERE t.id = f.id AND t.id = ANY (:#ids::uuid[])
  RETURNING t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
    t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
    NULL::text AS payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result::text AS result
), kept AS MATERIALIZED (
  SELECT coalesce(max(s.value::int), 50) AS attempts FROM settings s WHERE s.key = 'todo_attempts_kept'
), history AS (
  -- after a lapse that nobody followed up, the row is there already
  INSERT INTO todo_attempts (todo_id, attempt, owner, worker, claimed_at, ended_at, outcome, error)
  SELECT f.id, f.attempt, f.owner, f.worker, f.claimed_at, now(), 'completed', NULL
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
LEFT JOIN changed t ON t.id = j.id AND j.verdict = 'changed'
ORDER BY j.n
