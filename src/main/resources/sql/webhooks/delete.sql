-- Deletes a webhook; its events and todos stay.
-- :#credential_id  bigint  what the caller bears, still live: an account's own reaches all of its webhooks, an endpoint's those that it made
-- :#id  text  which
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns id, name, type, queue, path, endpoint (who made it; null: the account) and created_at; no row when there is none, or it is somebody else's.
WITH caller AS MATERIALIZED (
  SELECT g.account_id, g.endpoint_id FROM live_credentials g WHERE g.id = :#credential_id
), gone AS (
  DELETE FROM webhooks w
  USING caller c
  WHERE w.account_id = c.account_id AND (c.endpoint_id IS NULL OR w.endpoint_id = c.endpoint_id) AND w.id = :#id
  RETURNING w.id, w.account_id, w.endpoint_id, w.name, w.type, w.queue, w.created_at
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, source_ip)
  SELECT gone.account_id, :#audit_id::uuid, :#actor, 'webhook.delete', gone.name, :#source_ip::inet
  FROM gone
)
SELECT w.id, w.name, w.type, w.queue, '/webhooks/w/' || w.id AS path, w.endpoint_id::text AS endpoint, w.created_at
FROM gone w
