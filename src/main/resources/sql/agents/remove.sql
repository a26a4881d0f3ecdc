-- Removes an agent, and ends every endpoint that was vended to it.
-- :#credential_id  bigint  what the caller bears: an account's own, still live; its account is whose affair this is
-- :#id  uuid  which
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns id, name, description and created_at; no row when there is none, or it is somebody else's. All nodes are told.
WITH caller AS MATERIALIZED (
  SELECT g.account_id FROM live_credentials g WHERE g.id = :#credential_id AND g.endpoint_id IS NULL
), gone AS (
  UPDATE agents n
  SET removed_at = now()
  FROM caller
  WHERE n.account_id = caller.account_id AND n.id = :#id::uuid AND n.removed_at IS NULL
  RETURNING n.id, n.account_id, n.name, n.description, n.created_at
), ended AS (
  UPDATE endpoints e
  SET revoked_at = now(), revoked_todos = 'release'
  FROM gone
  WHERE e.account_id = gone.account_id AND e.agent_id = gone.id AND e.revoked_at IS NULL
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT gone.account_id, :#audit_id::uuid, :#actor, 'agent.remove', gone.name, jsonb_build_object('id', gone.id), :#source_ip::inet
  FROM gone
)
SELECT n.id::text AS id, n.name, n.description, n.created_at
FROM gone n,
  -- referenced, because a CTE that nobody reads never runs
  (SELECT count(pg_notify('access_changed', 'agent')) FROM gone) AS announced
