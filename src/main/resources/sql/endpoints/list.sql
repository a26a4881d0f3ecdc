-- A page of what an account vended, newest first, the ended ones too. Reads idx_endpoints_listed.
-- :#account_id  bigint  whose queues they are
-- :#before      uuid    the last one of the page before; null: from the newest
-- :#limit       int     rows to return
-- Returns id, agent_id and agent, or friend (the account that holds it), prefix (of its newest credential), queues, verbs,
-- lease_seconds, max_lease_seconds, rate_limit, created_at, expires_at, revoked_at and last_used_at (give or take a minute).
SELECT e.id::text AS id, n.id::text AS agent_id, n.name AS agent, h.name AS friend, c.prefix, to_jsonb(e.queues) AS queues,
  to_jsonb(e.verbs) AS verbs, e.lease_seconds, e.max_lease_seconds, e.rate_limit, e.created_at, e.expires_at, e.revoked_at,
  c.last_used_at
FROM endpoints e
LEFT JOIN agents n ON n.id = e.agent_id
LEFT JOIN friend_edges f ON f.id = e.friend_edge_id
LEFT JOIN accounts h ON h.id = f.account_id
CROSS JOIN LATERAL (
  -- while one is rotated, the newest
  SELECT (array_agg(k.prefix ORDER BY k.id DESC))[1] AS prefix, max(k.last_used_at) AS last_used_at
  FROM credentials k
  WHERE k.endpoint_id = e.id
) c
WHERE e.account_id = :#account_id AND e.id < coalesce(:#before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
ORDER BY e.id DESC
LIMIT :#limit
