-- Ends an edge: denied by whom it was asked of, revoked by either side, and with it the endpoint that was vended for it.
-- :#credential_id  bigint  what the caller bears: an account's own, still live; its account is whose affair this is
-- :#id      uuid  which
-- :#word    text  denied or revoked
-- :#held   text  what becomes of what is under its lease: release or fail
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns verdict (changed, not_pending, which a denial needs); no row when there is none, or it is between others. All nodes are
-- told. What ended before stays as it was.
WITH caller AS MATERIALIZED (
  SELECT g.account_id FROM live_credentials g WHERE g.id = :#credential_id AND g.endpoint_id IS NULL
), edge AS MATERIALIZED (
  SELECT f.id, f.state, f.account_id, f.asked
  FROM friend_edges f, caller
  WHERE (f.owner_id = caller.account_id OR (f.account_id = caller.account_id AND :#word = 'revoked')) AND f.id = :#id::uuid
  FOR UPDATE OF f
), ended AS (
  UPDATE friend_edges f
  SET state = :#word, decided_at = now()
  FROM edge
  WHERE f.id = edge.id AND (f.state = 'pending' OR (f.state = 'approved' AND :#word = 'revoked'))
  RETURNING f.id
), silenced AS (
  UPDATE endpoints e
  SET revoked_at = now(), revoked_todos = :#held
  FROM ended
  WHERE e.friend_edge_id = ended.id AND e.revoked_at IS NULL
  RETURNING e.id
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT caller.account_id, :#audit_id::uuid, :#actor, 'friend.' || :#word || '', ended.id::text, '{}'::jsonb, :#source_ip::inet
  FROM ended, caller
)
SELECT CASE WHEN :#word = 'denied' AND edge.state NOT IN ('pending', 'denied') THEN 'not_pending' ELSE 'changed' END AS verdict
FROM edge,
  -- referenced, because a CTE that nobody reads never runs
  (SELECT count(pg_notify('access_changed', 'friend')) FROM silenced) AS announced
