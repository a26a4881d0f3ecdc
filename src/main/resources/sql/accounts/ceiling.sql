-- Sets how many webhooks an account and its endpoints may have, of which types, and for which queues.
-- :#credential_id  bigint  what the caller bears: an operator's own, still live
-- :#id  bigint  which account
-- :#most  int  how many; :#types text[] which; :#queues text[] null: any
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns most, types and queues; no row when there is no such account.
WITH caller AS MATERIALIZED (
  SELECT g.account_id
  FROM live_credentials g
  JOIN accounts a ON a.id = g.account_id
  WHERE g.id = :#credential_id AND g.endpoint_id IS NULL AND a.role = 'operator'
), changed AS (
  UPDATE accounts a
  SET webhooks_most = :#most, webhook_types = :#types::text[], webhook_queues = :#queues::text[]
  FROM caller
  WHERE a.id = :#id
  RETURNING a.id, a.webhooks_most AS most, to_jsonb(a.webhook_types) AS types, to_jsonb(a.webhook_queues) AS queues
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT c.id, :#audit_id::uuid, :#actor, 'account.ceiling', c.id::text, jsonb_build_object('most', c.most, 'types', c.types, 'queues', c.queues),
    :#source_ip::inet
  FROM changed c
)
SELECT c.most, c.types, c.queues FROM changed c
