-- Reads the body of the event behind a todo.
-- :#account  bigint  whose event
-- :#event    bigint  its id
-- Returns content_type and payload; no row when there is no such event.
SELECT e.content_type, e.payload
FROM events e
WHERE e.account_id = :#account AND e.id = :#event
