-- Where the rows beyond the cap begin, by OFFSET on the list indexes; run once a minute.
-- :#cap  bigint  rows that an account may keep of each table
-- Returns account_id, and the newest row beyond the cap: event_at and event_id, todo_at and todo_id; null: nothing is.
SELECT a.id AS account_id, e.received_at AS event_at, e.id AS event_id, t.completed_at AS todo_at, t.id AS todo_id
FROM accounts a
LEFT JOIN LATERAL (
  SELECT e.received_at, e.id
  FROM events e
  WHERE e.account_id = a.id
  ORDER BY e.received_at DESC, e.id DESC
  OFFSET :#cap
  LIMIT 1
) e ON true
LEFT JOIN LATERAL (
  SELECT t.completed_at, t.id
  FROM todos t
  WHERE t.account_id = a.id AND t.state IN ('done', 'failed')
  ORDER BY t.completed_at DESC, t.id DESC
  OFFSET :#cap
  LIMIT 1
) t ON true
WHERE e.id IS NOT NULL OR t.id IS NOT NULL
