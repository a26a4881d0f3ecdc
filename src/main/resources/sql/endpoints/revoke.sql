-- Ends an endpoint for good, with every credential that bears it. What it holds is taken back by claims/settle.
-- :#credential_id  bigint  what the caller bears: an account's own, still live; its account is whose affair this is
-- :#id     uuid  which
-- :#held   text  what becomes of what is under its lease: release or fail
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns its id, also when it had ended before; no row when there is none, or it is somebody else's. All nodes are told.
WITH caller AS MATERIALIZED (
  SELECT g.account_id FROM live_credentials g WHERE g.id = :#credential_id AND g.endpoint_id IS NULL
), target AS MATERIALIZED (
  SELECT e.id, e.account_id, e.friend_edge_id
  FROM endpoints e, caller
  WHERE e.account_id = caller.account_id AND e.id = :#id::uuid
), ended AS (
  UPDATE endpoints e
  SET revoked_at = now(), revoked_todos = :#held
  FROM target t
  WHERE e.id = t.id AND e.revoked_at IS NULL
  RETURNING e.id, e.account_id, e.friend_edge_id
), parted AS (
  UPDATE friend_edges f
  SET state = 'revoked', decided_at = now()
  FROM ended
  WHERE f.id = ended.friend_edge_id
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT ended.account_id, :#audit_id::uuid, :#actor, 'endpoint.revoke', ended.id::text, jsonb_build_object('held', :#held::text), :#source_ip::inet
  FROM ended
)
SELECT t.id::text AS id
FROM target t,
  -- referenced, because a CTE that nobody reads never runs
  (SELECT count(pg_notify('access_changed', 'endpoint')) FROM ended) AS announced
