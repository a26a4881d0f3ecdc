-- Makes todos that were asked for over the API and announces the queues that got a due one. A live todo of the queue with
-- the same key swallows the new one.
-- :#ids         uuid[]         made beforehand, time-ordered; one element for each todo, as in all the arrays
-- :#accounts    bigint[]       whose todo it is
-- :#queues      text[]         where it waits
-- :#titles, :#kinds, :#payloads, :#keys, :#assignees  text[]  as asked; all but the title may be null; a payload is JSON
-- :#priorities  int[]          higher first
-- :#ready_ats   text[]         RFC 3339, not before; null: at once
-- :#caps        int[]          charged failures until it is dead; null: as the queue says
-- :#creators    text[]         who asked
-- :#credentials  bigint[]      what they bear; null: the hub itself
-- Returns n (from 1), verdict (changed, refused) and the todo of each one made; one that is missing was swallowed. refused:
-- the credential ended, and its node has not heard of it.
WITH asked AS MATERIALIZED (
  SELECT a.n, a.id, a.account_id, a.queue, a.title, a.kind, a.payload, a.key, a.assignee, a.priority,
    coalesce(a.ready_at::timestamptz, now()) AS ready_at, a.cap, a.creator,
    a.credential_id IS NULL
      OR EXISTS (SELECT FROM live_credentials g WHERE g.id = a.credential_id AND g.account_id = a.account_id) AS live
  FROM unnest(:#ids::uuid[], :#accounts::bigint[], :#queues::text[], :#titles::text[], :#kinds::text[], :#payloads::text[],
              :#keys::text[], :#assignees::text[], :#priorities::int[], :#ready_ats::text[], :#caps::int[], :#creators::text[],
              :#credentials::bigint[])
    WITH ORDINALITY AS a(id, account_id, queue, title, kind, payload, key, assignee, priority, ready_at, cap, creator, credential_id, n)
), made AS (
  INSERT INTO todos AS t (id, account_id, queue, source, title, kind, payload, idempotency_key, assignee, priority, ready_at, due,
    max_attempts, created_by)
  SELECT a.id, a.account_id, a.queue, 'api', a.title, a.kind, a.payload::jsonb, a.key, a.assignee, a.priority, a.ready_at,
    a.ready_at <= now(),
    coalesce(a.cap, (SELECT q.max_attempts FROM queues q WHERE q.account_id = a.account_id AND q.name = a.queue), 5),
    a.creator
  FROM asked a
  WHERE a.live
  -- the lock order of the intake, which inserts the same keys
  ORDER BY a.account_id, a.queue, a.key, a.id
  -- no target: a second unique index must not turn a repeat into an error
  ON CONFLICT DO NOTHING
  RETURNING t.account_id, t.due, t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload::text AS payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result::text AS result
)
SELECT a.n, CASE WHEN a.live THEN 'changed' ELSE 'refused' END AS verdict, t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result
FROM asked a
LEFT JOIN made t ON t.id = a.id,
  -- referenced, because a CTE that nobody reads never runs
  (SELECT count(pg_notify('todo_ready', q.account_id || ':' || q.queue))
   FROM (SELECT DISTINCT m.account_id, m.queue FROM made m WHERE m.due) q) AS announced
WHERE t.id IS NOT NULL OR NOT a.live
ORDER BY a.n
