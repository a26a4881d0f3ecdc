-- Counts the copies of deliveries that were met before and finds what their first copy made.
-- A statement of its own: it sees what the insert's ON CONFLICT waited for, which the insert itself cannot.
-- :#duplicate_…  arrays  one element for each copy; duplicate_ids: the event id that it would have had
-- Returns wanted, event_id, todo_id and queue: a row for each todo of the first copy, one with nulls when there is none (left).
WITH copies AS (
  SELECT d.account_id, d.source, d.external_id, count(*)::int AS n
  FROM unnest(:#duplicate_account_ids::bigint[], :#duplicate_sources::text[], :#duplicate_external_ids::text[])
    AS d(account_id, source, external_id)
  GROUP BY d.account_id, d.source, d.external_id
), locked AS MATERIALIZED (
  -- the lock order of insert_events.sql
  SELECT k.account_id, k.source, k.external_id, c.n
  FROM copies c
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
SELECT d.wanted, k.event_id, t.id AS todo_id, t.queue
FROM unnest(:#duplicate_ids::bigint[], :#duplicate_account_ids::bigint[], :#duplicate_sources::text[], :#duplicate_external_ids::text[])
  AS d(wanted, account_id, source, external_id)
JOIN counted k USING (account_id, source, external_id)
LEFT JOIN todos t ON t.account_id = k.account_id AND t.event_id = k.event_id
ORDER BY d.wanted, t.id
