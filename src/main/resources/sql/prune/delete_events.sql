-- Deletes events together with all their finished todos and those todos' history. An event that a pending or claimed todo
-- refers to stays. Identities stay as well: delete_keys.sql takes them later.
-- :#account_id  bigint    whose
-- :#ids         bigint[]  events that this transaction has locked
-- Returns events and todos: how many went.
WITH free AS MATERIALIZED (
  SELECT d.id
  FROM unnest(:#ids::bigint[]) AS d(id)
  WHERE NOT EXISTS (
    SELECT FROM todos t
    WHERE t.account_id = :#account_id AND t.event_id = d.id AND t.state IN ('pending', 'claimed'))
), gone_todos AS (
  DELETE FROM todos t
  USING free
  WHERE t.account_id = :#account_id AND t.event_id = free.id
  RETURNING t.id
), gone_attempts AS (
  DELETE FROM todo_attempts a USING gone_todos g WHERE a.todo_id = g.id
), gone_events AS (
  DELETE FROM events e
  USING free
  WHERE e.account_id = :#account_id AND e.id = free.id
  RETURNING e.id
)
SELECT (SELECT count(*) FROM gone_events) AS events, (SELECT count(*) FROM gone_todos) AS todos
