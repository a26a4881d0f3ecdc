-- Takes todos back from endpoints that were revoked or have expired, at once instead of when their leases lapse: claimed ->
-- pending at their old place with nothing charged, or -> failed where the revocation says so. What is due again is announced.
-- The webhooks that such an endpoint made go with it.
-- A claim that was under way when its endpoint ended is met by a later run: an endpoint counts as settled only when it ended
-- a minute ago and holds nothing. Bounded: run it again while it finds as many as its limit.
-- :#limit  int  how many at most
-- Returns a row for each queue: account_id, queue, requeued, failed (how many).
WITH ended AS MATERIALIZED (
  -- idx_endpoints_unsettled
  SELECT e.id, e.account_id, e.id::text AS owner, e.revoked_todos, least(e.revoked_at, e.expires_at) AS at
  FROM endpoints e
  WHERE NOT e.settled AND least(e.revoked_at, e.expires_at) <= now()
  LIMIT 1000
), found AS MATERIALIZED (
  SELECT t.id, n.revoked_todos IS NOT DISTINCT FROM 'fail' AS failed
  FROM ended n
  -- among all live leases (idx_todos_leases): there are few compared with todos, and endpoints end seldom
  JOIN todos t ON t.account_id = n.account_id AND t.owner = n.owner AND t.state = 'claimed'
  -- nothing ended: nothing is looked at
  WHERE (SELECT count(*) FROM ended) > 0
), held AS MATERIALIZED (
  -- by id, in the one lock order of all verbs; a locked row is somebody's last word, or met by the next run
  SELECT t.id, t.attempt, t.owner, t.worker, t.claimed_at, f.failed
  FROM found f
  JOIN todos t ON t.id = f.id AND t.state = 'claimed' AND t.owner IN (SELECT ended.owner FROM ended)
  WHERE t.id = ANY (ARRAY(SELECT found.id FROM found))
  ORDER BY t.id
  LIMIT :#limit
  FOR UPDATE OF t SKIP LOCKED
), changed AS (
  UPDATE todos t
  SET state = CASE WHEN h.failed THEN 'failed' ELSE 'pending' END,
      due = t.held IS NULL,
      owner = CASE WHEN h.failed THEN h.owner END,
      worker = CASE WHEN h.failed THEN h.worker END,
      claimed_at = CASE WHEN h.failed THEN h.claimed_at END,
      lease_expires_at = NULL,
      completed_at = CASE WHEN h.failed THEN now() END,
      failed_reason = CASE WHEN h.failed THEN 'endpoint_revoked' END,
      last_owner = h.owner,
      last_outcome = CASE WHEN h.failed THEN 'cancelled' ELSE 'released' END,
      updated_at = now()
  FROM held h
  WHERE t.id = h.id AND t.id = ANY (ARRAY(SELECT held.id FROM held))
  RETURNING t.account_id, t.queue, t.state, t.due
), history AS (
  INSERT INTO todo_attempts (todo_id, attempt, owner, worker, claimed_at, ended_at, outcome)
  SELECT h.id, h.attempt, h.owner, h.worker, h.claimed_at, now(), CASE WHEN h.failed THEN 'cancelled' ELSE 'released' END
  FROM held h
  ON CONFLICT (todo_id, attempt) DO NOTHING
), doors AS (
  DELETE FROM webhooks w
  USING ended n
  WHERE w.account_id = n.account_id AND w.endpoint_id = n.id
), settled AS (
  UPDATE endpoints e
  SET settled = true
  FROM ended n
  WHERE e.id = n.id AND n.at < now() - interval '1 minute'
    AND NOT EXISTS (SELECT FROM todos t WHERE t.account_id = n.account_id AND t.owner = n.owner AND t.state = 'claimed')
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
