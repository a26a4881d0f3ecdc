-- Makes todos due whose time has come, and announces their queues. Bounded: run it again while it finds as many as its limit.
-- :#limit  int  how many at most
-- Returns a row for each queue: account_id, queue, promoted (how many).
WITH ripe AS MATERIALIZED (
  -- idx_todos_scheduled
  SELECT t.id
  FROM todos t
  WHERE t.state = 'pending' AND NOT t.due AND t.held IS NULL AND t.ready_at <= now()
  ORDER BY t.ready_at
  LIMIT :#limit
  FOR UPDATE SKIP LOCKED
), changed AS (
  UPDATE todos t
  SET due = true, updated_at = now()
  FROM ripe r
  WHERE t.id = r.id AND t.id = ANY (ARRAY(SELECT ripe.id FROM ripe))
  RETURNING t.account_id, t.queue
), counted AS (
  SELECT c.account_id, c.queue, count(*) AS promoted
  FROM changed c
  GROUP BY c.account_id, c.queue
)
SELECT c.account_id, c.queue, c.promoted
FROM counted c,
  -- referenced, because a CTE that nobody reads never runs
  (SELECT count(pg_notify('todo_ready', r.account_id || ':' || r.queue)) FROM counted r) AS announced
