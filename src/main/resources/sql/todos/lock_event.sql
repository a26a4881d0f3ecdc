-- Keeps the event of a todo from being pruned until the transaction ends: an event goes only with its todos.
-- :#account  bigint  the caller's account
-- :#id       uuid    the todo
-- Returns the event's id; no row when the todo has none.
SELECT e.id
FROM todos t
JOIN events e ON e.account_id = t.account_id AND e.id = t.event_id
WHERE t.account_id = :#account AND t.id = :#id::uuid
FOR KEY SHARE OF e
