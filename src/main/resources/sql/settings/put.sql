-- Stores one setting.
-- :#credential_id  bigint  what the caller bears: an operator's own, still live
-- :#key    text  which; checked by the caller
-- :#value  text  its value; checked by the caller
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns key and value.
WITH caller AS MATERIALIZED (
  SELECT g.account_id
  FROM live_credentials g
  JOIN accounts a ON a.id = g.account_id
  WHERE g.id = :#credential_id AND g.endpoint_id IS NULL AND a.role = 'operator'
), put AS (
  INSERT INTO settings AS s (key, value)
  SELECT :#key, :#value FROM caller
  ON CONFLICT (key) DO UPDATE SET value = excluded.value
  RETURNING s.key, s.value
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT caller.account_id, :#audit_id::uuid, :#actor, 'setting.put', put.key, jsonb_build_object('value', put.value), :#source_ip::inet
  FROM put, caller
)
SELECT put.key, put.value FROM put
