-- Revokes a person's token.
-- :#credential_id  bigint  what the caller bears: an account's own, still live; its account is whose affair this is
-- :#name  text  what its holder calls it
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns name, prefix, created_at, expires_at and last_used_at; no row when there is no live one. All nodes are told.
WITH caller AS MATERIALIZED (
  SELECT g.account_id FROM live_credentials g WHERE g.id = :#credential_id AND g.endpoint_id IS NULL
), revoked AS (
  UPDATE credentials c
  SET revoked_at = now()
  FROM caller
  WHERE c.account_id = caller.account_id AND c.name = :#name AND c.revoked_at IS NULL
  RETURNING c.name, c.prefix, c.created_at, c.expires_at, c.last_used_at
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT caller.account_id, :#audit_id::uuid, :#actor, 'token.revoke', r.name, jsonb_build_object('prefix', r.prefix), :#source_ip::inet
  FROM revoked r, caller
)
SELECT r.name, r.prefix, r.created_at, r.expires_at, r.last_used_at
FROM revoked r,
  -- referenced, because a CTE that nobody reads never runs
  (SELECT count(pg_notify('access_changed', 'token')) FROM revoked) AS announced
