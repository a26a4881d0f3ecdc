-- What: an identity may remember the signature under which it was first met, and a signature is met once.
-- Why:  some providers sign neither a time nor the delivery id. Whoever captured a delivery could send it again under
--       another id; where an adapter says that bodies are unique, that is a duplicate.
-- Operator of a large table: the column rewrites nothing. The index is empty, but to know that, PostgreSQL reads event_keys once
--       while deliveries wait. With tens of millions of identities make it beforehand, beside the running hub:
--       ALTER TABLE event_keys ADD COLUMN IF NOT EXISTS signature_hash bytea;
--       CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS idx_event_keys_signature ON event_keys (account_id, source, signature_hash)
--         WHERE signature_hash IS NOT NULL;

ALTER TABLE event_keys ADD COLUMN IF NOT EXISTS signature_hash bytea;
COMMENT ON COLUMN event_keys.signature_hash IS 'SHA-256 of the signature of its first copy, where equal signed bodies are one delivery; else null';
CREATE UNIQUE INDEX IF NOT EXISTS idx_event_keys_signature ON event_keys (account_id, source, signature_hash) WHERE signature_hash IS NOT NULL;
