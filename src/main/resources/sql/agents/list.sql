-- A page of an account's agents, newest first. Reads idx_agents_listed.
-- :#account_id  bigint  whose
-- :#before      uuid    the last one of the page before; null: from the newest
-- :#limit       int     rows to return
-- Returns id, name, description and created_at.
SELECT n.id::text AS id, n.name, n.description, n.created_at
FROM agents n
WHERE n.account_id = :#account_id AND n.removed_at IS NULL AND n.id < coalesce(:#before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
ORDER BY n.id DESC
LIMIT :#limit
