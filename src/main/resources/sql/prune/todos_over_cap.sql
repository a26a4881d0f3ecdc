-- Where the finished todos beyond the cap begin, by OFFSET on the list index; run once a minute, after the events beyond
-- theirs went: they took their todos along, and what is left may be below the cap.
-- :#cap  bigint  finished todos that an account may keep
-- Returns account_id and the newest todo beyond the cap, at and id, of each account that has one.
SELECT a.id AS account_id, t.completed_at AS at, t.id
FROM accounts a
CROSS JOIN LATERAL (
  SELECT t.completed_at, t.id
  FROM todos t
  WHERE t.account_id = a.id AND t.state IN ('done', 'failed')
  ORDER BY t.completed_at DESC, t.id DESC
  OFFSET :#cap
  LIMIT 1
) t
