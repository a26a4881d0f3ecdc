-- Asks another account for some of its queues. Whether there is such an account is not told.
-- :#credential_id  bigint  what the caller bears: an account's own, still live; its account is whose affair this is
-- :#id  uuid  made beforehand, time-ordered
-- :#to, :#reason  text  the account's name; why, for people, or null
-- :#queues, :#verbs  text[]  what is asked for; checked by the caller
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns verdict (changed, limit_reached: 100 pending), id, asker, to, queues, verbs, reason, state, created_at and decided_at.
WITH caller AS MATERIALIZED (
  SELECT g.account_id FROM live_credentials g WHERE g.id = :#credential_id AND g.endpoint_id IS NULL
), many AS MATERIALIZED (
  SELECT count(*) >= 100 AS too FROM friend_edges f, caller WHERE f.account_id = caller.account_id AND f.state = 'pending'
), asked AS (
  INSERT INTO friend_edges AS f (id, account_id, asked, owner_id, queues, verbs, reason)
  SELECT :#id::uuid, caller.account_id, :#to, (SELECT a.id FROM accounts a WHERE a.name = :#to AND a.closed_at IS NULL),
    :#queues::text[], :#verbs::text[], :#reason
  FROM caller, many
  WHERE NOT many.too
  RETURNING f.id, f.account_id, f.asked, f.queues, f.verbs, f.reason, f.state, f.created_at, f.decided_at
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT f.account_id, :#audit_id::uuid, :#actor, 'friend.ask', f.asked, jsonb_build_object('id', f.id, 'queues', to_jsonb(f.queues), 'verbs', to_jsonb(f.verbs)), :#source_ip::inet
  FROM asked f
)
SELECT CASE WHEN many.too THEN 'limit_reached' ELSE 'changed' END AS verdict,
  f.id::text AS id, a.name AS asker, f.asked AS "to", to_jsonb(f.queues) AS queues, to_jsonb(f.verbs) AS verbs, f.reason, f.state,
  f.created_at, f.decided_at
FROM caller
JOIN accounts a ON a.id = caller.account_id
CROSS JOIN many
LEFT JOIN asked f ON f.account_id = caller.account_id
