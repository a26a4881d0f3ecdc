-- Stores a person's token by its hash, for the caller's account, or for another one when an operator asks. A
-- token that expires mints none for its account that outlives it.
-- :#credential_id  bigint  what the caller bears: an account's own, still live; its account is whose affair this is
-- :#of    bigint  the account that it is for; null: the caller's own
-- :#name  text    what its holder calls it
-- :#hash, :#prefix  bytea, text  SHA-256 and first characters
-- :#expires_in_seconds  int  null: never
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns verdict (changed, name_taken, limit_reached: 100 live ones), name, prefix and expires_at; no row when there is no such
-- open account for the caller.
WITH caller AS MATERIALIZED (
  SELECT g.account_id, a.role, CASE WHEN :#of::bigint IS NULL THEN c.expires_at END AS latest
  FROM live_credentials g
  JOIN accounts a ON a.id = g.account_id
  JOIN credentials c ON c.id = g.id
  WHERE g.id = :#credential_id AND g.endpoint_id IS NULL
), target AS MATERIALIZED (
  -- one after the other, so that they are counted
  SELECT a.id, a.name
  FROM accounts a, caller
  WHERE a.id = coalesce(:#of::bigint, caller.account_id) AND a.closed_at IS NULL AND (:#of::bigint IS NULL OR caller.role = 'operator')
  FOR UPDATE OF a
), live AS MATERIALIZED (
  SELECT count(*) AS n
  FROM credentials c, target t
  WHERE c.account_id = t.id AND c.name IS NOT NULL AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now())
), minted AS (
  INSERT INTO credentials AS c (account_id, hash, prefix, name, expires_at)
  SELECT t.id, :#hash, :#prefix, :#name, least(now() + :#expires_in_seconds::int * interval '1 second', caller.latest)
  FROM target t, live, caller
  WHERE live.n < 100
  ON CONFLICT DO NOTHING
  RETURNING c.name, c.prefix, c.expires_at
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT t.id, :#audit_id::uuid, :#actor, 'token.mint', minted.name, jsonb_build_object('prefix', minted.prefix), :#source_ip::inet
  FROM minted, target t
)
SELECT CASE WHEN live.n >= 100 THEN 'limit_reached' WHEN minted.name IS NULL THEN 'name_taken' ELSE 'changed' END AS verdict,
  minted.name, minted.prefix, minted.expires_at
FROM target t
CROSS JOIN live
LEFT JOIN minted ON true
