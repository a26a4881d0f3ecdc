-- One edge, for either side.
-- :#account_id  bigint  who looks
-- :#id          uuid    which
-- Returns id, asker, to, queues, verbs, reason, state, created_at and decided_at; no row when there is none, or it is between others.
SELECT f.id::text AS id, a.name AS asker, f.asked AS "to", to_jsonb(f.queues) AS queues, to_jsonb(f.verbs) AS verbs, f.reason, f.state,
  f.created_at, f.decided_at
FROM friend_edges f
JOIN accounts a ON a.id = f.account_id
WHERE (f.account_id = :#account_id OR f.owner_id = :#account_id) AND f.id = :#id::uuid
