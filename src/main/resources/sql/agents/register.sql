-- Writes an agent down. That grants it nothing.
-- :#credential_id  bigint  what the caller bears: an account's own, still live; its account is whose affair this is
-- :#id    uuid  made beforehand, time-ordered
-- :#name, :#description  text  checked by the caller; the description may be null
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns verdict (changed, name_taken, limit_reached: 1,000 agents), id, name, description and created_at.
WITH caller AS MATERIALIZED (
  SELECT g.account_id FROM live_credentials g WHERE g.id = :#credential_id AND g.endpoint_id IS NULL
), many AS MATERIALIZED (
  SELECT count(*) >= 1000 AS too FROM agents n, caller WHERE n.account_id = caller.account_id AND n.removed_at IS NULL
), made AS (
  INSERT INTO agents AS n (id, account_id, name, description)
  SELECT :#id::uuid, caller.account_id, :#name, :#description
  FROM caller, many
  WHERE NOT many.too
  ON CONFLICT DO NOTHING
  RETURNING n.id, n.account_id, n.name, n.description, n.created_at
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT made.account_id, :#audit_id::uuid, :#actor, 'agent.register', made.name, jsonb_build_object('id', made.id), :#source_ip::inet
  FROM made
)
SELECT CASE WHEN many.too THEN 'limit_reached' WHEN n.id IS NULL THEN 'name_taken' ELSE 'changed' END AS verdict,
  n.id::text AS id, n.name, n.description, n.created_at
FROM caller
CROSS JOIN many
LEFT JOIN made n ON n.account_id = caller.account_id
