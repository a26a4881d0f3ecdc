-- Gives a live endpoint another credential; the former ones work on for a while. Its owner does, or who holds it as a friend.
-- :#credential_id  bigint  what the caller bears: an account's own, still live; its account is whose affair this is
-- :#id       uuid  which endpoint; null: that of the edge
-- :#edge_id  uuid  which friend edge, for the one who asked for it; null: by endpoint
-- :#grace_seconds  int  how long the former credentials still work; 0: not at all
-- :#hash, :#prefix  bytea, text  SHA-256 and first characters of the new one
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns id, prefix and expires_at (of the endpoint); no row when there is none that lives, or it is somebody else's. All nodes are told.
WITH caller AS MATERIALIZED (
  SELECT g.account_id FROM live_credentials g WHERE g.id = :#credential_id AND g.endpoint_id IS NULL
), target AS MATERIALIZED (
  -- one rotation after the other: none leaves a credential of another to live for ever
  SELECT e.id, e.account_id, e.expires_at
  FROM endpoints e
  CROSS JOIN caller
  LEFT JOIN friend_edges f ON f.id = e.friend_edge_id
  WHERE ((e.account_id = caller.account_id AND e.id = :#id::uuid) OR (f.account_id = caller.account_id AND f.id = :#edge_id::uuid))
    AND e.revoked_at IS NULL AND (e.expires_at IS NULL OR e.expires_at > now())
  FOR UPDATE OF e
), former AS (
  UPDATE credentials c
  SET expires_at = least(c.expires_at, now() + :#grace_seconds * interval '1 second')
  FROM target t
  WHERE c.account_id = t.account_id AND c.endpoint_id = t.id AND c.revoked_at IS NULL
), credential AS (
  INSERT INTO credentials (account_id, endpoint_id, hash, prefix)
  SELECT t.account_id, t.id, :#hash, :#prefix
  FROM target t
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT t.account_id, :#audit_id::uuid, :#actor, 'endpoint.rotate', t.id::text, jsonb_build_object('prefix', :#prefix::text, 'grace_seconds', :#grace_seconds::int), :#source_ip::inet
  FROM target t
)
SELECT t.id::text AS id, :#prefix::text AS prefix, t.expires_at
FROM target t,
  -- referenced, because a CTE that nobody reads never runs
  (SELECT count(pg_notify('access_changed', 'endpoint')) FROM target) AS announced
