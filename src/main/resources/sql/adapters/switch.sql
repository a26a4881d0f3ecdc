-- Switches an adapter on or off for all nodes, or back to what adapters.yaml says, and tells them.
-- :#credential_id  bigint  what the caller bears: an operator's own, still live
-- :#account_id  bigint   whose
-- :#name        text     which
-- :#enabled     boolean  true, false, or null: as adapters.yaml says
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns name; no row when it is not declared.
WITH caller AS MATERIALIZED (
  SELECT g.account_id
  FROM live_credentials g
  JOIN accounts a ON a.id = g.account_id
  WHERE g.id = :#credential_id AND g.endpoint_id IS NULL AND a.role = 'operator'
), switched AS (
  UPDATE adapters a
  SET enabled = :#enabled::boolean, updated_at = now()
  FROM caller
  WHERE a.account_id = :#account_id AND a.name = :#name
  RETURNING a.account_id, a.name, a.enabled
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT s.account_id, :#audit_id::uuid, :#actor, 'adapter.switch', s.name, jsonb_build_object('enabled', s.enabled), :#source_ip::inet
  FROM switched s
)
SELECT s.name
FROM switched s,
  -- referenced, because a CTE that nobody reads never runs
  (SELECT count(pg_notify('access_changed', 'adapters')) FROM switched) AS announced
