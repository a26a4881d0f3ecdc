-- Stores a credential by its hash. Met again, it is live again.
-- :#account_id  bigint  whose
-- :#hash        bytea   SHA-256 of the credential
-- :#prefix      text    its first characters, for people
-- Returns its id.
INSERT INTO credentials (account_id, hash, prefix)
VALUES (:#account_id, :#hash, :#prefix)
ON CONFLICT (hash) DO UPDATE SET revoked_at = NULL
RETURNING id
