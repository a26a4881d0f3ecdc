-- Forgets identities that are old enough and whose event is gone.
-- :#days      int          an identity is kept at least as long
-- :#after_at  timestamptz  how far they were looked through; null: from the start
-- :#limit     int          rows looked at, at most
-- Returns looked_at (how many), forgotten (how many), last_at: where the next look begins.
WITH old AS MATERIALIZED (
  SELECT k.account_id, k.source, k.external_id, k.event_id, k.first_seen
  FROM event_keys k
  WHERE k.first_seen < now() - :#days * interval '1 day'
    AND k.first_seen >= coalesce(:#after_at::timestamptz, '-infinity')
  ORDER BY k.first_seen
  LIMIT :#limit
  FOR UPDATE SKIP LOCKED
), forgotten AS (
  DELETE FROM event_keys k
  USING old
  WHERE k.account_id = old.account_id AND k.source = old.source AND k.external_id = old.external_id
    -- OFFSET 0: one look by key for each, where a join would read all events
    AND NOT EXISTS (SELECT FROM events e WHERE e.account_id = old.account_id AND e.id = old.event_id OFFSET 0)
  RETURNING k.event_id
)
SELECT (SELECT count(*) FROM old) AS looked_at, (SELECT count(*) FROM forgotten) AS forgotten, (SELECT max(first_seen) FROM old) AS last_at
