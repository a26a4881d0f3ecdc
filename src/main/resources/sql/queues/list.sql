-- A page of an account's queues by name: those that were declared, and those that todos were just put on. Depths are counted up
-- to 10,000, so that a look at a long queue costs no more than one at that.
-- :#account_id  bigint  whose
-- :#queues      text[]  only these; null: all
-- :#after       text    the last one of the page before; null: from the start
-- :#limit       int     rows to return
-- Returns name, paused, depth (due todos) and oldest_ready_at (of those; null: none).
WITH RECURSIVE used AS (
  -- a skip scan of idx_todos_listed_queue: one look for each queue
  (SELECT t.queue FROM todos t WHERE t.account_id = :#account_id AND t.queue > coalesce(:#after, '') ORDER BY t.queue LIMIT 1)
  UNION ALL
  SELECT (SELECT t.queue FROM todos t WHERE t.account_id = :#account_id AND t.queue > used.queue ORDER BY t.queue LIMIT 1)
  FROM used
  WHERE used.queue IS NOT NULL
), page AS MATERIALIZED (
  SELECT names.name
  FROM (
    SELECT used.queue AS name FROM used WHERE used.queue IS NOT NULL AND :#queues::text[] IS NULL
    UNION
    SELECT q.name FROM queues q WHERE q.account_id = :#account_id AND :#queues::text[] IS NULL
    UNION
    SELECT w.name FROM unnest(:#queues::text[]) AS w(name)
  ) names
  WHERE names.name > coalesce(:#after, '')
  ORDER BY names.name
  LIMIT :#limit
)
SELECT page.name, coalesce(q.paused, false) AS paused, due.n AS depth, due.oldest AS oldest_ready_at
FROM page
LEFT JOIN queues q ON q.account_id = :#account_id AND q.name = page.name
CROSS JOIN LATERAL (
  SELECT count(*) AS n, min(d.ready_at) AS oldest
  FROM (
    (SELECT t.ready_at FROM todos t
     WHERE t.account_id = :#account_id AND t.queue = page.name AND t.state = 'pending' AND t.due AND t.assignee IS NULL
     LIMIT 10000)
    UNION ALL
    (SELECT t.ready_at FROM todos t
     WHERE t.account_id = :#account_id AND t.queue = page.name AND t.state = 'pending' AND t.due AND t.assignee IS NOT NULL
     LIMIT 10000)
  ) d
) due
ORDER BY page.name
