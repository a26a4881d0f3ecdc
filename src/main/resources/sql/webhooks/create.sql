-- Makes a webhook under the ceiling of its account and, for an endpoint, its own.
-- :#credential_id  bigint  what the caller bears, still live
-- :#id, :#name, :#type, :#queue  text  checked by the caller; the id is random
-- :#token_hash, :#secret  bytea  SHA-256 of its token, or the provider's secret, encrypted; the other one is null
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns verdict (changed, name_taken, ceiling), id, name, type, queue, path, endpoint (who made it; null: the account) and created_at.
WITH caller AS MATERIALIZED (
  -- one after the other, so that they are counted
  SELECT a.id AS account_id, g.endpoint_id, a.webhooks_most, a.webhook_types, a.webhook_queues
  FROM live_credentials g
  JOIN accounts a ON a.id = g.account_id
  WHERE g.id = :#credential_id
  FOR UPDATE OF a
), judged AS MATERIALIZED (
  SELECT c.account_id, c.endpoint_id,
    :#type = ANY (c.webhook_types)
      AND (c.webhook_queues IS NULL OR :#queue = ANY (c.webhook_queues))
      AND (SELECT count(*) FROM webhooks w WHERE w.account_id = c.account_id) < c.webhooks_most
      AND (SELECT count(*) FROM webhooks w WHERE w.account_id = c.account_id AND w.endpoint_id = c.endpoint_id)
        < coalesce((SELECT e.max_webhooks FROM endpoints e WHERE e.id = c.endpoint_id), c.webhooks_most) AS fits
  FROM caller c
), queue AS (
  INSERT INTO queues (account_id, name)
  SELECT j.account_id, :#queue FROM judged j WHERE j.fits
  ON CONFLICT DO NOTHING
), made AS (
  INSERT INTO webhooks AS w (id, account_id, endpoint_id, name, type, queue, token_hash, secret)
  SELECT :#id, j.account_id, j.endpoint_id, :#name, :#type, :#queue, :#token_hash, :#secret
  FROM judged j
  WHERE j.fits
  ON CONFLICT (account_id, name) DO NOTHING
  RETURNING w.id, w.account_id, w.endpoint_id, w.name, w.type, w.queue, w.created_at
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT made.account_id, :#audit_id::uuid, :#actor, 'webhook.create', made.name, jsonb_build_object('type', made.type, 'queue', made.queue),
    :#source_ip::inet
  FROM made
)
SELECT CASE WHEN NOT j.fits THEN 'ceiling' WHEN w.id IS NULL THEN 'name_taken' ELSE 'changed' END AS verdict,
  w.id, w.name, w.type, w.queue, '/webhooks/w/' || w.id AS path, w.endpoint_id::text AS endpoint, w.created_at
FROM judged j
LEFT JOIN made w ON w.account_id = j.account_id
