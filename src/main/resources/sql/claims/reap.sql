-- Takes back todos whose lease lapsed: claimed -> pending at their old place below the cap, -> failed at it. Each lapse is
-- charged as one failure. What is due again is announced. Bounded: run it again while it finds as many as its limit.
-- :#limit  int  how many at most
-- Returns a row for each queue: account_id, queue, requeued, failed (how many).
WITH lapsed AS MATERIALIZED (
  -- idx_todos_leases; a locked row is somebody's heartbeat or verb: stepped over, never waited for
  SELECT t.id, t.attempt, t.owner, t.worker, t.claimed_at, t.failures + 1 AS failures, t.failures + 1 >= t.max_attempts AS spent
  FROM todos t
  WHERE t.state = 'claimed' AND t.lease_expires_at < now()
  ORDER BY t.lease_expires_at
  LIMIT :#limit
  FOR UPDATE SKIP LOCKED
), changed AS (
  UPDATE todos t
  SET state = CASE WHEN l.spent THEN 'failed' ELSE 'pending' END,
      due = t.held IS NULL,
      owner = CASE WHEN l.spent THEN l.owner END,
      worker = CASE WHEN l.spent THEN l.worker END,
      claimed_at = CASE WHEN l.spent THEN l.claimed_at END,
      lease_expires_at = NULL,
      completed_at = CASE WHEN l.spent THEN now() END,
      failures = l.failures,
      failed_reason = CASE WHEN l.spent THEN 'lease_expired' END,
      last_owner = l.owner,
      last_outcome = 'lease_expired',
      updated_at = now()
  FROM lapsed l
  WHERE t.id = l.id AND t.id = ANY (ARRAY(SELECT lapsed.id FROM lapsed))
  RETURNING t.account_id, t.queue, t.state, t.due
), kept AS MATERIALIZED (
  SELECT coalesce(max(s.value::int), 50) AS attempts FROM settings s WHERE s.key = 'todo_attempts_kept'
), history AS (
  INSERT INTO todo_attempts (todo_id, attempt, owner, worker, claimed_at, ended_at, outcome)
  SELECT l.id, l.attempt, l.owner, l.worker, l.claimed_at, now(), 'lease_expired'
  FROM lapsed l
  ON CONFLICT (todo_id, attempt) DO NOTHING
), trimmed AS (
  -- attempts are numbered without gaps, so each that ends pushes out the one that is too many
  DELETE FROM todo_attempts h
  USING lapsed l
  WHERE l.attempt > (SELECT kept.attempts FROM kept) AND h.todo_id = l.id AND h.attempt <= l.attempt - (SELECT kept.attempts FROM kept)
), counted AS (
  SELECT c.account_id, c.queue, count(*) FILTER (WHERE c.state = 'pending') AS requeued, count(*) FILTER (WHERE c.state = 'failed') AS failed,
    bool_or(c.state = 'pending' AND c.due) AS ready
  FROM changed c
  GROUP BY c.account_id, c.queue
)
SELECT c.account_id, c.queue, c.requeued, c.failed
FROM counted c,
  -- referenced, because a CTE that nobody reads never runs
  (SELECT count(pg_notify('todo_ready', r.account_id || ':' || r.queue)) FROM counted r WHERE r.ready) AS announced
