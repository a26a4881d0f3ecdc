-- Claims todos of one queue for all the callers who wait for it, the first caller filled first: one slot for each todo wanted.
-- Todos kept for a worker go to that worker's own slots; what is left of the slots is filled from the pool, by priority,
-- then first come first served. A paused queue gives nothing. Locked rows are stepped over, so no claim waits for another.
-- A slot whose credential ended, or does not reach this queue, stays empty, whatever its node still believes.
-- :#account  bigint  whose queue it is
-- :#queue    text    its name
-- :#owners   text[]  one element for each slot, a caller's slots in a row: who will hold the lease
-- :#workers  text[]  the label that the slot's caller gave; may be null
-- :#assignees  text[]  what assignee is matched with; null: from the pool alone
-- :#leases   int[]   seconds; null: as the endpoint says, else the queue; never more than the endpoint may
-- :#credentials  bigint[]  what the slot's caller bears; null: the hub itself
-- Returns at most one row for each slot: n (the slot, from 1) and the claimed todo.
WITH live AS MATERIALIZED (
  SELECT g.id, g.lease_seconds, g.max_lease_seconds
  FROM live_credentials g
  WHERE g.id = ANY (:#credentials::bigint[]) AND g.account_id = :#account AND (g.queues IS NULL OR :#queue = ANY (g.queues))
), slot AS MATERIALIZED (
  SELECT s.n, s.owner, s.worker, s.assignee, coalesce(s.lease_seconds, live.lease_seconds) AS lease_seconds, live.max_lease_seconds,
    row_number() OVER (PARTITION BY s.assignee ORDER BY s.n) AS k
  FROM unnest(:#owners::text[], :#workers::text[], :#assignees::text[], :#leases::int[], :#credentials::bigint[])
    WITH ORDINALITY AS s(owner, worker, assignee, lease_seconds, credential_id, n)
  LEFT JOIN live ON live.id = s.credential_id
  WHERE s.credential_id IS NULL OR live.id IS NOT NULL
), line AS MATERIALIZED (
  -- a queue without a row has the defaults of the table
  SELECT coalesce(bool_or(q.paused), false) AS paused, coalesce(max(q.lease_seconds), 300) AS lease_seconds
  FROM queues q
  WHERE q.account_id = :#account AND q.name = :#queue
), kept AS MATERIALIZED (
  -- MATERIALIZED throughout: inlined twice, FOR UPDATE SKIP LOCKED would lock one set of rows and claim another
  SELECT k.assignee, k.id, row_number() OVER (PARTITION BY k.assignee ORDER BY k.priority DESC, k.ready_at, k.id) AS k
  FROM (
    SELECT w.assignee, a.id, a.priority, a.ready_at
    FROM (SELECT slot.assignee, count(*) AS wanted FROM slot WHERE slot.assignee IS NOT NULL GROUP BY slot.assignee) w
    CROSS JOIN LATERAL (
      -- the order of idx_todos_pending_assigned
      SELECT t.id, t.priority, t.ready_at
      FROM todos t
      WHERE t.account_id = :#account AND t.queue = :#queue AND t.assignee = w.assignee
        AND t.state = 'pending' AND t.due AND t.assignee IS NOT NULL
        AND NOT (SELECT line.paused FROM line)
      ORDER BY t.priority DESC, t.ready_at, t.id
      LIMIT w.wanted
      FOR UPDATE SKIP LOCKED
    ) a
  ) k
), pool AS MATERIALIZED (
  SELECT p.id, row_number() OVER () AS k
  FROM (
    -- the order of idx_todos_pending
    SELECT t.id
    FROM todos t
    WHERE t.account_id = :#account AND t.queue = :#queue
      AND t.state = 'pending' AND t.due AND t.assignee IS NULL
      AND NOT (SELECT line.paused FROM line)
    ORDER BY t.priority DESC, t.ready_at, t.id
    LIMIT (SELECT count(*) FROM slot) - (SELECT count(*) FROM kept)
    FOR UPDATE SKIP LOCKED
  ) p
), chosen AS MATERIALIZED (
  SELECT kept.id, slot.n, slot.owner, slot.worker, slot.lease_seconds, slot.max_lease_seconds
  FROM kept
  JOIN slot ON slot.assignee = kept.assignee AND slot.k = kept.k
  UNION ALL
  SELECT pool.id, free.n, free.owner, free.worker, free.lease_seconds, free.max_lease_seconds
  FROM pool
  JOIN (
    SELECT s.n, s.owner, s.worker, s.lease_seconds, s.max_lease_seconds, row_number() OVER (ORDER BY s.n) AS k
    FROM slot s
    WHERE NOT EXISTS (SELECT FROM kept WHERE kept.assignee = s.assignee AND kept.k = s.k)
  ) free ON free.k = pool.k
)
UPDATE todos t
SET state = 'claimed',
    owner = c.owner,
    worker = c.worker,
    attempt = t.attempt + 1,
    claimed_at = now(),
    lease_expires_at = now() + least(coalesce(c.lease_seconds, line.lease_seconds), c.max_lease_seconds) * interval '1 second',
    updated_at = now()
FROM chosen c, line
WHERE t.id = c.id
  -- by key, however many rows the planner believes that LIMIT lets through
  AND t.id = ANY (ARRAY(SELECT chosen.id FROM chosen)) AND t.account_id = :#account AND t.queue = :#queue
RETURNING c.n, t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  t.payload::text AS payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, t.result::text AS result
