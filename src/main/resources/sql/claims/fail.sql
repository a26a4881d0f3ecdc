-- Ends attempts badly and charges each one failure: claimed -> pending after a wait, or -> failed at the cap or when told
-- so. Also after the lease lapsed, as long as nobody claimed the todo since; the lapse was the charge then. What is due at
-- once is announced.
-- :#ids       uuid[]     one element for each item, as in all the arrays
-- :#accounts  bigint[]   the caller's account
-- :#owners    text[]     who must hold, or have held last, the lease
-- :#credentials  bigint[]  what the caller bears; null: the hub itself
-- :#attempts  int[]      the attempt that must be the todo's latest
-- :#errors    text[]     what went wrong, for people
-- :#waits     int[]      seconds until the next attempt; null: the queue's backoff
-- :#deads     boolean[]  whether no further attempt makes sense
-- Returns a row for each item: n (from 1), verdict (changed, repeated, stale, unknown, refused) and, when changed, the todo without
-- its payload. repeated: the same verb by the same owner and attempt was done before and the todo not claimed since.
WITH asked AS MATERIALIZED (
  SELECT a.n, a.id, a.account_id, a.owner, a.credential_id, a.attempt, a.error, a.wait_seconds, a.dead
  FROM unnest(:#ids::uuid[], :#accounts::bigint[], :#owners::text[], :#credentials::bigint[], :#attempts::int[], :#errors::text[], :#waits::int[], :#deads::boolean[])
    WITH ORDINALITY AS a(id, account_id, owner, credential_id, attempt, error, wait_seconds, dead, n)
), live AS MATERIALIZED (
  -- once for each credential, however many items it bears
  SELECT g.id, g.account_id, g.queues
  FROM live_credentials g
  WHERE g.id = ANY (:#credentials::bigint[])
), locked AS MATERIALIZED (
  -- by id first, in the one lock order of all verbs
  SELECT t.id, t.account_id, t.queue, t.state, t.attempt, t.failures, t.max_attempts, t.owner, t.worker, t.claimed_at, t.last_owner, t.last_outcome
  FROM todos t
  WHERE t.id = ANY (:#ids::uuid[])
  ORDER BY t.id
  FOR UPDATE
), judged AS MATERIALIZED (
  SELECT a.n, a.id, a.owner, a.attempt, a.error, a.wait_seconds, a.dead, l.account_id, l.queue, l.worker, l.claimed_at, l.max_attempts,
    l.failures + CASE l.state WHEN 'claimed' THEN 1 ELSE 0 END AS failures,
    CASE
      -- revoked or expired: a node that has not heard of it changes nothing
      WHEN a.credential_id IS NOT NULL AND g.id IS NULL THEN 'refused'
      WHEN l.id IS NULL OR NOT (g.queues IS NULL OR l.queue = ANY (g.queues)) THEN 'unknown'
      WHEN l.attempt <> a.attempt THEN 'stale'
      WHEN l.state = 'claimed' AND l.owner = a.owner THEN 'changed'
      -- the reaper took it back, and it still waits
      WHEN l.state = 'pending' AND l.last_owner = a.owner AND l.last_outcome = 'lease_expired' THEN 'changed'
      WHEN l.state <> 'claimed' AND l.last_owner = a.owner AND l.last_outcome = 'failed' THEN 'repeated'
      ELSE 'stale'
    END AS verdict
  FROM asked a
  LEFT JOIN live g ON g.id = a.credential_id AND g.account_id = a.account_id
  LEFT JOIN locked l ON l.id = a.id AND l.account_id = a.account_id
), first AS MATERIALIZED (
  SELECT DISTINCT ON (j.id) j.id, j.owner, j.attempt, j.error, j.worker, j.claimed_at, j.failures,
    CASE WHEN j.dead THEN 'dead' WHEN j.failures >= j.max_attempts THEN 'attempts_exhausted' END AS failed_reason,
    now() + make_interval(secs => coalesce(j.wait_seconds, b.seconds * (1 + b.jitter * (2 * random() - 1)))) AS ready_at
  FROM judged j
  LEFT JOIN queues q ON q.account_id = j.account_id AND q.name = j.queue
  CROSS JOIN LATERAL (
    -- the exponent is bounded, so that no count of failures overflows
    SELECT least(coalesce((q.backoff->>'max_seconds')::float8, 900),
        coalesce((q.backoff->>'base_seconds')::float8, 30) * coalesce((q.backoff->>'factor')::float8, 2) ^ least(j.failures - 1, 30)) AS seconds,
      coalesce((q.backoff->>'jitter')::float8, 0.1) AS jitter
  ) b
  WHERE j.verdict = 'changed'
  ORDER BY j.id, j.n
), changed AS (
  UPDATE todos t
  SET state = CASE WHEN f.failed_reason IS NULL THEN 'pending' ELSE 'failed' END,
      due = t.held IS NULL AND (f.failed_reason IS NOT NULL OR f.ready_at <= now()),
      ready_at = CASE WHEN f.failed_reason IS NULL THEN f.ready_at ELSE t.ready_at END,
      owner = CASE WHEN f.failed_reason IS NULL THEN NULL ELSE f.owner END,
      worker = CASE WHEN f.failed_reason IS NULL THEN NULL ELSE f.worker END,
      claimed_at = CASE WHEN f.failed_reason IS NULL THEN NULL ELSE f.claimed_at END,
      lease_expires_at = NULL,
      completed_at = CASE WHEN f.failed_reason IS NULL THEN NULL ELSE now() END,
      failures = f.failures,
      failed_reason = f.failed_reason,
      last_error = f.error,
      last_owner = f.owner,
      last_outcome = 'failed',
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
  SELECT f.id, f.attempt, f.owner, f.worker, f.claimed_at, now(), 'failed', f.error
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
