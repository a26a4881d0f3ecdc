-- The tokens of people that were not revoked, by name.
-- :#account_id  bigint  whose
-- Returns name, prefix, created_at, expires_at and last_used_at (give or take a minute).
SELECT c.name, c.prefix, c.created_at, c.expires_at, c.last_used_at
FROM credentials c
WHERE c.account_id = :#account_id AND c.name IS NOT NULL AND c.revoked_at IS NULL
ORDER BY c.name
