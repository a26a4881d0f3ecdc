-- The body of an event, byte for byte.
-- :#account_id  bigint  whose
-- :#id          bigint  which
-- :#queues      text[]  only of an event with a todo there; null: any
-- Returns content_type and payload; no row when there is none, or it is somebody else's.
SELECT e.content_type, e.payload
FROM events e
WHERE e.account_id = :#account_id AND e.id = :#id
  AND (:#queues::text[] IS NULL
       OR EXISTS (SELECT FROM todos t WHERE t.account_id = e.account_id AND t.event_id = e.id AND t.queue = ANY (:#queues::text[])))
