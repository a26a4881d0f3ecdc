-- Closes an account: nobody may act for it any more, and what it vended or was vended ends. Its name is not given again.
-- The operator's own, 1, stays.
-- :#credential_id  bigint  what the caller bears: an operator's own, still live
-- :#id  bigint  which
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns its id; no row when there is none, or it is the operator's own. All nodes are told.
WITH caller AS MATERIALIZED (
  SELECT g.account_id
  FROM live_credentials g
  JOIN accounts a ON a.id = g.account_id
  WHERE g.id = :#credential_id AND g.endpoint_id IS NULL AND a.role = 'operator'
), target AS MATERIALIZED (
  SELECT a.id, a.name, a.closed_at
  FROM accounts a, caller
  WHERE a.id = :#id AND a.id <> 1
  FOR UPDATE OF a
), closed AS (
  UPDATE accounts a
  SET closed_at = now()
  FROM target t
  WHERE a.id = t.id AND t.closed_at IS NULL
), silenced AS (
  UPDATE credentials c
  SET revoked_at = now()
  FROM target t
  WHERE c.account_id = t.id AND c.endpoint_id IS NULL AND c.revoked_at IS NULL
), parted AS (
  UPDATE friend_edges f
  SET state = 'revoked', decided_at = now()
  FROM target t
  WHERE (f.account_id = t.id OR f.owner_id = t.id) AND f.state IN ('pending', 'approved')
), ended AS (
  UPDATE endpoints e
  SET revoked_at = now(), revoked_todos = 'release'
  FROM target t
  WHERE e.revoked_at IS NULL
    AND (e.account_id = t.id OR e.friend_edge_id IN (SELECT f.id FROM friend_edges f WHERE f.account_id = t.id))
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT caller.account_id, :#audit_id::uuid, :#actor, 'account.close', t.name, jsonb_build_object('id', t.id), :#source_ip::inet
  FROM target t, caller
)
SELECT t.id
FROM target t,
  -- referenced, because a CTE that nobody reads never runs
  (SELECT count(pg_notify('access_changed', 'account')) FROM target) AS announced
