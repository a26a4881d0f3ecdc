-- Locks the events of finished todos that are beyond the cap: a todo with an event goes with it and its other todos.
-- :#account_id  bigint       whose
-- :#before      timestamptz  finished at this time or earlier
-- :#limit       int          rows at most
-- Returns id and received_at.
SELECT e.id, e.received_at
FROM events e
WHERE e.account_id = :#account_id
  AND e.id IN (
    SELECT t.event_id FROM todos t
    WHERE t.account_id = :#account_id AND t.state IN ('done', 'failed') AND t.completed_at <= :#before::timestamptz
      AND t.event_id IS NOT NULL
    ORDER BY t.completed_at, t.id
    LIMIT :#limit)
ORDER BY e.received_at, e.id
FOR UPDATE SKIP LOCKED
