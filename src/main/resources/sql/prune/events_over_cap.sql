-- Where the events beyond the cap begin, by OFFSET on the list index; run once a minute.
-- :#cap  bigint  events that an account may keep
-- Returns account_id and the newest event beyond the cap, at and id, of each account that has one.
SELECT a.id AS account_id, e.received_at AS at, e.id
FROM accounts a
CROSS JOIN LATERAL (
  SELECT e.received_at, e.id
  FROM events e
  WHERE e.account_id = a.id
  ORDER BY e.received_at DESC, e.id DESC
  OFFSET :#cap
  LIMIT 1
) e
