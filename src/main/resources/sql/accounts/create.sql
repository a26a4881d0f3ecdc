-- Makes an account with its first token.
-- :#credential_id  bigint  what the caller bears: an operator's own, still live
-- :#name  text  its name; checked by the caller
-- :#role  text  operator or member
-- :#hash, :#prefix  bytea, text  SHA-256 and first characters of its token
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns id, name, role and created_at; no row when the name is taken.
WITH caller AS MATERIALIZED (
  SELECT g.account_id
  FROM live_credentials g
  JOIN accounts a ON a.id = g.account_id
  WHERE g.id = :#credential_id AND g.endpoint_id IS NULL AND a.role = 'operator'
), made AS (
  INSERT INTO accounts AS a (name, role)
  SELECT :#name, :#role
  FROM caller
  ON CONFLICT (name) DO NOTHING
  RETURNING a.id, a.name, a.role, a.created_at
), token AS (
  INSERT INTO credentials (account_id, hash, prefix, name)
  SELECT made.id, :#hash, :#prefix, 'first'
  FROM made
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT caller.account_id, :#audit_id::uuid, :#actor, 'account.create', made.name, jsonb_build_object('id', made.id, 'role', made.role), :#source_ip::inet
  FROM made, caller
)
SELECT made.id, made.name, made.role, made.created_at
FROM made
