-- Revokes every credential of an account that belongs to no agent, but one, and tells all nodes to forget what they remember.
-- :#account_id  bigint  whose
-- :#hash        bytea   the one that stays
-- Returns nothing of use; the notification leaves with the commit.
WITH revoked AS (
  UPDATE credentials SET revoked_at = now()
  WHERE account_id = :#account_id AND endpoint_id IS NULL AND revoked_at IS NULL AND hash <> :#hash
  RETURNING id
)
SELECT count(*), pg_notify('access_changed', 'credentials') FROM revoked
