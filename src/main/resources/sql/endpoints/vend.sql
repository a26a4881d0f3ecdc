-- Vends an endpoint to an agent: a scope that never changes, with its first credential. Queues that it names are made.
-- :#credential_id  bigint  what the caller bears: an account's own, still live; its account is whose affair this is
-- :#id, :#agent_id  uuid  the endpoint's, made beforehand, time-ordered; the agent's
-- :#queues, :#verbs  text[]  the scope; checked by the caller
-- :#lease_seconds, :#max_lease_seconds, :#rate_limit, :#max_webhooks, :#expires_in_seconds  int  null: as the queue says; no limit; never
-- :#hash, :#prefix  bytea, text  SHA-256 and first characters of the credential
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns verdict (changed, limit_reached: 1,000 queues), id, prefix, queues, verbs, lease_seconds, max_lease_seconds, rate_limit,
-- created_at and expires_at; no row when there is no such agent.
WITH caller AS MATERIALIZED (
  SELECT g.account_id FROM live_credentials g WHERE g.id = :#credential_id AND g.endpoint_id IS NULL
), agent AS MATERIALIZED (
  -- who removes it waits, and then sees what was vended
  SELECT n.id, n.name
  FROM agents n, caller
  WHERE n.account_id = caller.account_id AND n.id = :#agent_id::uuid AND n.removed_at IS NULL
  FOR SHARE OF n
), missing AS MATERIALIZED (
  SELECT w.name
  FROM unnest(:#queues::text[]) AS w(name), caller
  WHERE NOT EXISTS (SELECT FROM queues q WHERE q.account_id = caller.account_id AND q.name = w.name)
), fits AS MATERIALIZED (
  SELECT (SELECT count(*) FROM queues q, caller WHERE q.account_id = caller.account_id) + (SELECT count(*) FROM missing) <= 1000 AS ok
), made AS (
  INSERT INTO queues (account_id, name)
  SELECT caller.account_id, missing.name
  FROM caller, missing, agent, fits
  WHERE fits.ok
  ORDER BY missing.name
  ON CONFLICT DO NOTHING
), vended AS (
  INSERT INTO endpoints AS e (id, account_id, agent_id, queues, verbs, lease_seconds, max_lease_seconds, rate_limit, max_webhooks, expires_at)
  SELECT :#id::uuid, caller.account_id, agent.id, :#queues::text[], :#verbs::text[], :#lease_seconds::int, :#max_lease_seconds::int,
    :#rate_limit::int, :#max_webhooks::int, now() + :#expires_in_seconds::int * interval '1 second'
  FROM caller, agent, fits
  WHERE fits.ok
  RETURNING e.id, e.account_id, e.queues, e.verbs, e.lease_seconds, e.max_lease_seconds, e.rate_limit, e.created_at, e.expires_at
), credential AS (
  INSERT INTO credentials (account_id, endpoint_id, hash, prefix)
  SELECT v.account_id, v.id, :#hash, :#prefix
  FROM vended v
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT v.account_id, :#audit_id::uuid, :#actor, 'endpoint.vend', v.id::text, jsonb_build_object('agent', agent.name, 'prefix', :#prefix::text, 'queues', to_jsonb(v.queues), 'verbs', to_jsonb(v.verbs)), :#source_ip::inet
  FROM vended v, agent
)
SELECT CASE WHEN fits.ok THEN 'changed' ELSE 'limit_reached' END AS verdict, v.id::text AS id, :#prefix::text AS prefix,
  to_jsonb(v.queues) AS queues, to_jsonb(v.verbs) AS verbs, v.lease_seconds, v.max_lease_seconds, v.rate_limit, v.created_at, v.expires_at
FROM agent
CROSS JOIN fits
LEFT JOIN vended v ON true
