-- Deletes finished todos that have no event, with their history.
-- :#account_id  bigint       whose
-- :#before      timestamptz  finished at this time or earlier; :#before_id uuid: at this very time, ids up to it; null: any
-- :#after_at    timestamptz  :#after_id uuid: how far the account was looked through; null: from the start
-- :#limit       int          rows at most
-- Returns id and completed_at of each that went, oldest first.
WITH doomed AS MATERIALIZED (
  SELECT t.id
  FROM todos t
  WHERE t.account_id = :#account_id
    AND t.state IN ('done', 'failed')
    AND t.event_id IS NULL
    AND t.completed_at <= :#before::timestamptz
    AND (t.completed_at, t.id) <= (:#before::timestamptz, coalesce(:#before_id::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    AND t.completed_at >= coalesce(:#after_at::timestamptz, '-infinity')
    AND (t.completed_at, t.id) > (coalesce(:#after_at::timestamptz, '-infinity'), coalesce(:#after_id::uuid, '00000000-0000-0000-0000-000000000000'))
  ORDER BY t.completed_at, t.id
  LIMIT :#limit
  FOR UPDATE SKIP LOCKED
), gone_todos AS (
  DELETE FROM todos t USING doomed d WHERE t.id = d.id RETURNING t.id, t.completed_at
), gone_attempts AS (
  DELETE FROM todo_attempts a USING gone_todos g WHERE a.todo_id = g.id
)
SELECT id, completed_at FROM gone_todos ORDER BY completed_at, id
