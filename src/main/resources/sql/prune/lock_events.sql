-- Locks a batch of old events against retry and replay, which take them FOR KEY SHARE. The check whether a live todo refers
-- to one comes in the next statement, with a snapshot taken under the locks (delete_events.sql).
-- :#account_id  bigint       whose
-- :#before      timestamptz  received at this time or earlier; :#before_id bigint: at this very time, ids up to it; null: any
-- :#after_at    timestamptz  :#after_id bigint: how far the account was looked through; null: from the start
-- :#limit       int          rows at most
-- Returns id and received_at, oldest first, by idx_events_received backwards.
SELECT e.id, e.received_at
FROM events e
WHERE e.account_id = :#account_id
  AND e.received_at <= :#before::timestamptz
  -- a batch of deliveries shares its time: the cap may fall in the middle of one
  AND (e.received_at, e.id) <= (:#before::timestamptz, coalesce(:#before_id::bigint, 9223372036854775807))
  AND e.received_at >= coalesce(:#after_at::timestamptz, '-infinity')
  AND (e.received_at, e.id) > (coalesce(:#after_at::timestamptz, '-infinity'), coalesce(:#after_id::bigint, 0))
ORDER BY e.received_at, e.id
LIMIT :#limit
FOR UPDATE SKIP LOCKED
