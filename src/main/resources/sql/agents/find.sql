-- One agent.
-- :#account_id  bigint  whose
-- :#id          uuid    which
-- Returns id, name, description and created_at; no row when there is none, or it is somebody else's.
SELECT n.id::text AS id, n.name, n.description, n.created_at
FROM agents n
WHERE n.account_id = :#account_id AND n.id = :#id::uuid AND n.removed_at IS NULL
