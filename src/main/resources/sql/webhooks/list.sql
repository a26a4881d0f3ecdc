-- A page of webhooks made over REST, by name.
-- :#account_id  bigint  whose
-- :#endpoint    uuid    only those that it made; null: all of the account
-- :#after       text    the last one of the page before; null: from the start
-- :#limit       int     rows to return
-- Returns id, name, type, queue, path, endpoint (who made it; null: the account) and created_at.
SELECT w.id, w.name, w.type, w.queue, '/webhooks/w/' || w.id AS path, w.endpoint_id::text AS endpoint, w.created_at
FROM webhooks w
WHERE w.account_id = :#account_id AND (:#endpoint::uuid IS NULL OR w.endpoint_id = :#endpoint::uuid) AND w.name > coalesce(:#after, '')
ORDER BY w.name
LIMIT :#limit
