-- Revokes the credentials that the hub set for an account, but one, and tells all nodes to forget what they remember. Tokens
-- of people and of agents stay.
-- :#account_id  bigint  whose
-- :#hash        bytea   the one that stays
-- Returns nothing of use; the notification leaves with the commit.
WITH revoked AS (
  UPDATE credentials SET revoked_at = now()
  WHERE account_id = :#account_id AND endpoint_id IS NULL AND name IS NULL AND revoked_at IS NULL AND hash <> :#hash
  RETURNING id
)
SELECT count(*), pg_notify('access_changed', 'credentials') FROM revoked
