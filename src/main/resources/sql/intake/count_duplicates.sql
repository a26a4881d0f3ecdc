-- Counts the copies of deliveries that were met before and finds what their first copy made.
-- A statement of its own: it sees what the insert's ON CONFLICT waited for, which the insert itself cannot.
-- :#duplicate_…  arrays  one element for each copy; duplicate_ids: the event id that it would have had; duplicate_signature_hashes:
--                null where equal signed bodies may be two deliveries
-- Returns wanted, replayed (it was met by its signature, under another identity), event_id, todo_id and queue: a row for each todo of the
-- first copy, one with nulls when there is none (left).
WITH copies AS MATERIALIZED (
  SELECT d.wanted, d.account_id, d.source, coalesce(k.external_id, s.external_id) AS external_id, k.external_id IS NULL AS replayed
  FROM unnest(:#duplicate_ids::bigint[], :#duplicate_account_ids::bigint[], :#duplicate_sources::text[], :#duplicate_external_ids::text[],
              :#duplicate_signature_hashes::bytea[])
    AS d(wanted, account_id, source, external_id, signature_hash)
  LEFT JOIN event_keys k ON k.account_id = d.account_id AND k.source = d.source AND k.external_id = d.external_id
  LEFT JOIN event_keys s ON s.account_id = d.account_id AND s.source = d.source AND s.signature_hash = d.signature_hash
    AND k.external_id IS NULL
), first_copies AS (
  SELECT c.account_id, c.source, c.external_id, count(*)::int AS n
  FROM copies c
  WHERE c.external_id IS NOT NULL
  GROUP BY c.account_id, c.source, c.external_id
), locked AS MATERIALIZED (
  -- the lock order of insert_events.sql
  SELECT k.account_id, k.source, k.external_id, f.n
  FROM first_copies f
  JOIN event_keys k USING (account_id, source, external_id)
  ORDER BY k.account_id, k.source, k.external_id
  FOR UPDATE OF k
), counted AS (
  UPDATE event_keys k
  SET duplicates = k.duplicates + l.n, last_duplicate_at = now()
  FROM locked l
  WHERE k.account_id = l.account_id AND k.source = l.source AND k.external_id = l.external_id
  RETURNING k.account_id, k.source, k.external_id, k.event_id
)
SELECT c.wanted, c.replayed, k.event_id, t.id AS todo_id, t.queue
FROM copies c
JOIN counted k USING (account_id, source, external_id)
LEFT JOIN todos t ON t.account_id = k.account_id AND t.event_id = k.event_id
ORDER BY c.wanted, t.id
