-- Gives a webhook another token or secret. The former one still works for a while; one before that is worth nothing.
-- :#credential_id  bigint  what the caller bears, still live: an account's own reaches all of its webhooks, an endpoint's those that it made
-- :#id  text  which
-- :#token_hash, :#secret  bytea  SHA-256 of its token, or the provider's secret, encrypted; the other one is null
-- :#grace_seconds  int  how long the former one still works; 0: not at all
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns verdict (changed, other_kind: a token for a provider's, or a secret for another), id, name, type, queue, path, endpoint
-- (who made it; null: the account) and created_at; no row when there is none, or it is somebody else's.
WITH caller AS MATERIALIZED (
  SELECT g.account_id, g.endpoint_id FROM live_credentials g WHERE g.id = :#credential_id
), target AS MATERIALIZED (
  SELECT w.id, w.account_id, (w.token_hash IS NULL) = (:#token_hash::bytea IS NULL) AS same_kind
  FROM webhooks w, caller c
  WHERE w.account_id = c.account_id AND (c.endpoint_id IS NULL OR w.endpoint_id = c.endpoint_id) AND w.id = :#id
), changed AS (
  UPDATE webhooks w
  SET token_hash = :#token_hash, secret = :#secret, changed_at = clock_timestamp(),
    former_token_hash = CASE WHEN :#grace_seconds::int > 0 THEN w.token_hash END,
    former_secret = CASE WHEN :#grace_seconds::int > 0 THEN w.secret END,
    former_until = CASE WHEN :#grace_seconds::int > 0 THEN now() + :#grace_seconds::int * interval '1 second' END
  FROM target t
  WHERE w.account_id = t.account_id AND w.id = t.id AND t.same_kind
  RETURNING w.id, w.account_id, w.endpoint_id, w.name, w.type, w.queue, w.created_at
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT changed.account_id, :#audit_id::uuid, :#actor, 'webhook.rotate', changed.name,
    jsonb_build_object('grace_seconds', :#grace_seconds::int), :#source_ip::inet
  FROM changed
)
SELECT CASE WHEN t.same_kind THEN 'changed' ELSE 'other_kind' END AS verdict,
  w.id, w.name, w.type, w.queue, '/webhooks/w/' || w.id AS path, w.endpoint_id::text AS endpoint, w.created_at
FROM target t
LEFT JOIN changed w ON w.id = t.id
