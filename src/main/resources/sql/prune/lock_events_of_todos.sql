-- Locks the events of finished todos that are beyond the cap: a todo with an event goes with it and its other todos. What a
-- live todo keeps is left out here, or it would be all that a batch ever finds; delete_events.sql looks again under the lock.
-- :#account_id  bigint       whose
-- :#before      timestamptz  finished at this time or earlier; :#before_id uuid: at this very time, ids up to it
-- :#limit       int          rows at most
-- Returns id and received_at.
SELECT e.id, e.received_at
FROM events e
WHERE e.account_id = :#account_id
  AND e.id IN (
    SELECT t.event_id
    FROM todos t
    WHERE t.account_id = :#account_id
      AND t.state IN ('done', 'failed')
      AND t.event_id IS NOT NULL
      AND t.completed_at <= :#before::timestamptz
      AND (t.completed_at, t.id) <= (:#before::timestamptz, :#before_id::uuid)
      -- OFFSET 0: one look by event for each, where a join would read all todos
      AND NOT EXISTS (
        SELECT FROM todos l
        WHERE l.account_id = t.account_id AND l.event_id = t.event_id AND l.state IN ('pending', 'claimed')
        OFFSET 0)
    ORDER BY t.completed_at, t.id
    LIMIT :#limit)
ORDER BY e.received_at, e.id
FOR UPDATE SKIP LOCKED
