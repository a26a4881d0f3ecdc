-- A page of the edges that an account asked for or is asked for, newest first.
-- :#account_id  bigint  whose
-- :#before      uuid    the last one of the page before; null: from the newest
-- :#limit       int     rows to return
-- Returns id, asker, to, queues, verbs, reason, state, created_at and decided_at.
SELECT f.id::text AS id, a.name AS asker, f.asked AS "to", to_jsonb(f.queues) AS queues, to_jsonb(f.verbs) AS verbs, f.reason, f.state,
  f.created_at, f.decided_at
FROM friend_edges f
JOIN accounts a ON a.id = f.account_id
WHERE (f.account_id = :#account_id OR f.owner_id = :#account_id) AND f.id < coalesce(:#before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
ORDER BY f.id DESC
LIMIT :#limit
