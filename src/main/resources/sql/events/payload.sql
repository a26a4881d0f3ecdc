-- The body of an event, byte for byte.
-- :#account_id  bigint  whose
-- :#id          bigint  which
-- Returns content_type and payload; no row when there is none, or it is somebody else's.
SELECT content_type, payload
FROM events
WHERE account_id = :#account_id AND id = :#id
