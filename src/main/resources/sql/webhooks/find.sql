-- One webhook.
-- :#account_id  bigint  whose
-- :#endpoint    uuid    only when it made it; null: any of the account
-- :#id          text    which
-- Returns id, name, type, queue, path, endpoint (who made it; null: the account) and created_at; no row when there is none, or it is somebody else's.
SELECT w.id, w.name, w.type, w.queue, '/webhooks/w/' || w.id AS path, w.endpoint_id::text AS endpoint, w.created_at
FROM webhooks w
WHERE w.account_id = :#account_id AND (:#endpoint::uuid IS NULL OR w.endpoint_id = :#endpoint::uuid) AND w.id = :#id
