-- Sets what holds for a queue, and makes it where it does not exist. What is not said stays as it is.
-- :#credential_id  bigint  what the caller bears: an account's own, still live; its account is whose affair this is
-- :#name  text  which; checked by the caller
-- :#paused, :#lease_seconds, :#max_attempts, :#backoff  boolean, int, int, text  null: as it is; backoff is JSON
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns verdict (changed, limit_reached: 1,000 queues), name, paused, lease_seconds, max_attempts and backoff. Whoever waits for a
-- queue that goes on is woken.
WITH caller AS MATERIALIZED (
  SELECT g.account_id FROM live_credentials g WHERE g.id = :#credential_id AND g.endpoint_id IS NULL
), many AS MATERIALIZED (
  SELECT count(*) >= 1000 AND NOT bool_or(q.name = :#name) AS too FROM queues q, caller WHERE q.account_id = caller.account_id
), put AS (
  INSERT INTO queues AS q (account_id, name, paused, lease_seconds, max_attempts, backoff)
  SELECT caller.account_id, :#name, coalesce(:#paused::boolean, false), coalesce(:#lease_seconds::int, 300),
    coalesce(:#max_attempts::int, 5),
    coalesce(:#backoff::jsonb, '{"base_seconds": 30, "factor": 2, "max_seconds": 900, "jitter": 0.1}')
  FROM caller, many
  WHERE NOT many.too
  ON CONFLICT (account_id, name) DO UPDATE
  SET paused = coalesce(:#paused::boolean, q.paused), lease_seconds = coalesce(:#lease_seconds::int, q.lease_seconds),
    max_attempts = coalesce(:#max_attempts::int, q.max_attempts), backoff = coalesce(:#backoff::jsonb, q.backoff)
  RETURNING q.account_id, q.name, q.paused, q.lease_seconds, q.max_attempts, q.backoff
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT q.account_id, :#audit_id::uuid, :#actor, 'queue.put', q.name, jsonb_build_object('paused', q.paused, 'lease_seconds', q.lease_seconds, 'max_attempts', q.max_attempts, 'backoff', q.backoff), :#source_ip::inet
  FROM put q
)
SELECT CASE WHEN many.too THEN 'limit_reached' ELSE 'changed' END AS verdict, q.name, q.paused, q.lease_seconds, q.max_attempts, q.backoff
FROM caller
CROSS JOIN many
LEFT JOIN put q ON q.account_id = caller.account_id,
  -- referenced, because a CTE that nobody reads never runs
  (SELECT count(pg_notify('todo_ready', p.account_id || ':' || p.name)) FROM put p WHERE NOT p.paused) AS announced
