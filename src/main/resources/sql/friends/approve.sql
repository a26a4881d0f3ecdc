-- Grants what a friend asked for, or less, and vends an endpoint for it. Queues that it names are made.
-- :#credential_id  bigint  what the caller bears: an account's own, still live; its account is whose affair this is
-- :#id, :#endpoint_id  uuid  the edge's; the endpoint's, made beforehand, time-ordered
-- :#queues, :#verbs  text[]  what is granted of what was asked; null: all of it
-- :#max_lease_seconds, :#rate_limit, :#expires_in_seconds  int  null: no limit; never
-- :#hash, :#prefix  bytea, text  SHA-256 and first characters of the endpoint's credential
-- :#actor, :#source_ip, :#audit_id  text  for the audit log: who, from where, and a UUIDv7
-- Returns verdict (changed, not_pending, wider: grants what was not asked, limit_reached: 1,000 queues) and endpoint_id; no row when
-- nobody asked the caller for it.
WITH caller AS MATERIALIZED (
  SELECT g.account_id FROM live_credentials g WHERE g.id = :#credential_id AND g.endpoint_id IS NULL
), edge AS MATERIALIZED (
  SELECT f.id, f.state, f.account_id, f.queues, f.verbs,
    coalesce(:#queues::text[], f.queues) AS granted_queues, coalesce(:#verbs::text[], f.verbs) AS granted_verbs
  FROM friend_edges f, caller
  WHERE f.owner_id = caller.account_id AND f.id = :#id::uuid
  FOR UPDATE OF f
), missing AS MATERIALIZED (
  SELECT w.name
  FROM edge, caller, unnest(edge.granted_queues) AS w(name)
  WHERE NOT EXISTS (SELECT FROM queues q WHERE q.account_id = caller.account_id AND q.name = w.name)
), judged AS MATERIALIZED (
  SELECT CASE
      WHEN edge.state <> 'pending' THEN 'not_pending'
      WHEN NOT (edge.granted_queues <@ edge.queues AND edge.granted_verbs <@ edge.verbs) THEN 'wider'
      WHEN (SELECT count(*) FROM queues q, caller WHERE q.account_id = caller.account_id) + (SELECT count(*) FROM missing) > 1000
        THEN 'limit_reached'
      ELSE 'changed'
    END AS verdict
  FROM edge
), made AS (
  INSERT INTO queues (account_id, name)
  SELECT caller.account_id, missing.name
  FROM caller, missing, judged
  WHERE judged.verdict = 'changed'
  ORDER BY missing.name
  ON CONFLICT DO NOTHING
), approved AS (
  UPDATE friend_edges f
  SET state = 'approved', decided_at = now(), queues = edge.granted_queues, verbs = edge.granted_verbs
  FROM edge, judged
  WHERE f.id = edge.id AND judged.verdict = 'changed'
), vended AS (
  INSERT INTO endpoints AS e (id, account_id, friend_edge_id, queues, verbs, max_lease_seconds, rate_limit, expires_at)
  SELECT :#endpoint_id::uuid, caller.account_id, edge.id, edge.granted_queues, edge.granted_verbs, :#max_lease_seconds::int,
    :#rate_limit::int, now() + :#expires_in_seconds::int * interval '1 second'
  FROM caller, edge, judged
  WHERE judged.verdict = 'changed'
  RETURNING e.id, e.account_id, e.queues, e.verbs
), credential AS (
  INSERT INTO credentials (account_id, endpoint_id, hash, prefix)
  SELECT v.account_id, v.id, :#hash, :#prefix
  FROM vended v
), noted AS (
  INSERT INTO audit_log (account_id, id, actor, action, subject, detail, source_ip)
  SELECT v.account_id, :#audit_id::uuid, :#actor, 'friend.approve', edge.id::text, jsonb_build_object('endpoint', v.id, 'prefix', :#prefix::text, 'queues', to_jsonb(v.queues), 'verbs', to_jsonb(v.verbs)), :#source_ip::inet
  FROM vended v, edge
)
SELECT judged.verdict, v.id::text AS endpoint_id
FROM judged
LEFT JOIN vended v ON true
