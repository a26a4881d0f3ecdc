-- Lists todos of some queues, newest first, without payloads and results. Reads idx_todos_listed_queue from the cursor on, once
-- for each queue, so that a quiet one costs no walk through a busy one.
-- :#account  bigint  the caller's account
-- :#queues   text[]  the queues, each once
-- :#before   uuid    the last todo of the page before; null: from the newest
-- :#oldest   uuid    ids below it are too old for :#since: where the scan may stop; null: never
-- :#since    text    RFC 3339; null: no limit
-- :#state, :#source, :#kind  text  what must be equal; null: anything
-- :#limit    int     how many at most
-- Returns todos.
SELECT t.id, t.queue, t.source, t.kind, t.title, t.state, t.priority, t.attempt, t.failures, t.max_attempts, t.assignee,
  t.owner, t.worker, t.ready_at, t.lease_expires_at, t.created_at, t.updated_at, t.claimed_at, t.completed_at, t.event_id,
  NULL::text AS payload, t.payload_ref, t.idempotency_key, t.created_by, t.last_error, t.failed_reason, NULL::text AS result
FROM unnest(:#queues::text[]) AS mine(queue)
CROSS JOIN LATERAL (
  SELECT *
  FROM todos t
  WHERE t.account_id = :#account AND t.queue = mine.queue
    AND t.id < coalesce(:#before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    AND t.id >= coalesce(:#oldest::uuid, '00000000-0000-0000-0000-000000000000')
    AND t.created_at >= coalesce(:#since::timestamptz, '-infinity')
    AND (:#state::text IS NULL OR t.state = :#state::text)
    AND (:#source::text IS NULL OR t.source = :#source::text)
    AND (:#kind::text IS NULL OR t.kind = :#kind::text)
  ORDER BY t.id DESC
  LIMIT :#limit
) t
ORDER BY t.id DESC
LIMIT :#limit
