-- Finds who bears a live credential, and notes that it was used.
-- :#hash  bytea  SHA-256 of the credential
-- Returns credential_id, prefix, account_id, account, role, expires_in (seconds, of the credential or its endpoint; null: never)
-- and, for a vended one, endpoint_id, agent (its name) or friend (the account that it was vended to), queues and verbs
-- (joined by commas) and rate_limit; no row when it is unknown, revoked or expired.
UPDATE credentials c
SET last_used_at = now()
FROM live_credentials g
JOIN accounts a ON a.id = g.account_id
LEFT JOIN endpoints e ON e.id = g.endpoint_id
LEFT JOIN agents n ON n.id = e.agent_id
LEFT JOIN friend_edges f ON f.id = e.friend_edge_id
LEFT JOIN accounts h ON h.id = f.account_id
WHERE c.hash = :#hash AND g.id = c.id
RETURNING c.id AS credential_id, c.prefix, a.id AS account_id, a.name AS account, a.role,
  extract(epoch FROM least(c.expires_at, e.expires_at) - now())::float8 AS expires_in,
  e.id::text AS endpoint_id, n.name AS agent, h.name AS friend, array_to_string(e.queues, ',') AS queues,
  array_to_string(e.verbs, ',') AS verbs, e.rate_limit
