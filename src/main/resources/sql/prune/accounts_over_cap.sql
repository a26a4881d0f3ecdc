-- Where the rows beyond the cap begin, by OFFSET on the list indexes; run once a minute.
-- :#cap  bigint  rows that an account may keep of each table
-- Returns account_id, and event_at or todo_at: what is as old or older is beyond the cap; null: nothing is.
WITH looked AS MATERIALIZED (
  -- MATERIALIZED, because counting up to the cap once is enough
  SELECT a.id AS account_id,
    (SELECT e.received_at FROM events e WHERE e.account_id = a.id
     ORDER BY e.received_at DESC, e.id DESC OFFSET :#cap LIMIT 1) AS event_at,
    (SELECT t.completed_at FROM todos t WHERE t.account_id = a.id AND t.state IN ('done', 'failed')
     ORDER BY t.completed_at DESC, t.id DESC OFFSET :#cap LIMIT 1) AS todo_at
  FROM accounts a
)
SELECT looked.account_id, looked.event_at, looked.todo_at
FROM looked
WHERE looked.event_at IS NOT NULL OR looked.todo_at IS NOT NULL
