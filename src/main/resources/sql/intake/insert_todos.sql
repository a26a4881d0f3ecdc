-- Inserts the todos of new events and announces each queue that really got one, once.
-- One pg_notify per transaction serialises commits; a batch pays it once, and a statement of its own would be one more round trip.
-- :#todo_…  arrays  one element for each todo, in the same order; todo_max_attempts null: as its queue says
-- Returns the id of each new todo; one that is missing was swallowed by a live todo with its key.
WITH new_todos AS (
  INSERT INTO todos (id, account_id, queue, source, kind, title, payload_ref, idempotency_key, assignee, priority, max_attempts, event_id)
  SELECT t.id, t.account_id, t.queue, t.source, t.kind, t.title, 'event:' || t.event_id, t.key, t.assignee, t.priority,
    coalesce(t.max_attempts, (SELECT q.max_attempts FROM queues q WHERE q.account_id = t.account_id AND q.name = t.queue), 5),
    t.event_id
  FROM unnest(:#todo_ids::uuid[], :#todo_account_ids::bigint[], :#todo_queues::text[], :#todo_sources::text[],
              :#todo_kinds::text[], :#todo_titles::text[], :#todo_keys::text[], :#todo_assignees::text[],
              :#todo_priorities::int[], :#todo_max_attempts::int[], :#todo_event_ids::bigint[])
    AS t(id, account_id, queue, source, kind, title, key, assignee, priority, max_attempts, event_id)
  -- one lock order; ids are time-ordered, so FIFO within a batch is by id
  ORDER BY t.account_id, t.queue, t.key, t.id
  ON CONFLICT DO NOTHING
  RETURNING id, account_id, queue
)
SELECT new_todos.id
FROM new_todos,
  -- referenced, because a CTE that nobody reads never runs
  (SELECT count(pg_notify('todo_ready', q.account_id || ':' || q.queue))
   FROM (SELECT DISTINCT account_id, queue FROM new_todos) q) AS announced
