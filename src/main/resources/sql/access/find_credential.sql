-- Finds who bears a live credential, and notes that it was used.
-- :#hash  bytea  SHA-256 of the credential
-- Returns account_id, name and role; no row when it is unknown, revoked or expired.
UPDATE credentials c
SET last_used_at = now()
FROM accounts a
WHERE c.hash = :#hash AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()) AND a.id = c.account_id
RETURNING a.id AS account_id, a.name, a.role
