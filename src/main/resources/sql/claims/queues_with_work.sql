-- Lists the queues of an account that have a due todo for somebody, whoever it is. A skip scan: one look into the index for
-- each queue, however many todos wait in it. Paused queues are left out.
-- :#account  bigint  whose queues
-- Returns queue, each once.
WITH RECURSIVE pool AS (
  (SELECT t.queue
   FROM todos t
   WHERE t.account_id = :#account AND t.state = 'pending' AND t.due AND t.assignee IS NULL
   ORDER BY t.queue
   LIMIT 1)
  UNION ALL
  SELECT (SELECT t.queue
          FROM todos t
          WHERE t.account_id = :#account AND t.queue > pool.queue AND t.state = 'pending' AND t.due AND t.assignee IS NULL
          ORDER BY t.queue
          LIMIT 1)
  FROM pool
  WHERE pool.queue IS NOT NULL
), kept AS (
  (SELECT t.queue
   FROM todos t
   WHERE t.account_id = :#account AND t.state = 'pending' AND t.due AND t.assignee IS NOT NULL
   ORDER BY t.queue
   LIMIT 1)
  UNION ALL
  SELECT (SELECT t.queue
          FROM todos t
          WHERE t.account_id = :#account AND t.queue > kept.queue AND t.state = 'pending' AND t.due AND t.assignee IS NOT NULL
          ORDER BY t.queue
          LIMIT 1)
  FROM kept
  WHERE kept.queue IS NOT NULL
), found AS (
  SELECT pool.queue FROM pool
  UNION
  SELECT kept.queue FROM kept
)
SELECT found.queue
FROM found
LEFT JOIN queues q ON q.account_id = :#account AND q.name = found.queue
WHERE found.queue IS NOT NULL AND NOT coalesce(q.paused, false)
ORDER BY found.queue
