-- A page of events of one source, newest first. Payloads stay out; the page after a cursor begins below it.
-- :#account_id  bigint       whose events
-- :#source      text         whose deliveries
-- :#type        text         only this event_type; null: any
-- :#since       timestamptz  received then or later; null: from the start
-- :#before_at   timestamptz  :#before_id bigint: where the last page ended; null: the first page
-- :#queues      text[]       only events with a todo there, and only those todos; null: everything
-- :#limit       int          rows to return
-- Returns the event as the API shows it, by idx_events_source_received.
SELECT e.id, e.source, e.family, e.event_type, e.external_id, e.trust_mode, e.verified, e.verify_detail, e.content_type,
  e.headers, e.payload_size, host(e.source_ip) AS source_ip, e.received_at, e.disposition,
  coalesce(k.duplicates, 0) AS duplicates, k.last_duplicate_at, e.replayed_from,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'queue', t.queue, 'state', t.state) ORDER BY t.id), '[]')
   FROM todos t
   WHERE t.account_id = e.account_id AND t.event_id = e.id AND (:#queues::text[] IS NULL OR t.queue = ANY (:#queues::text[]))) AS todos
FROM events e
LEFT JOIN event_keys k
  ON k.account_id = e.account_id AND k.source = e.source AND k.external_id = e.external_id AND k.event_id = e.id
WHERE e.account_id = :#account_id
  AND e.source = :#source
  AND (:#type::text IS NULL OR e.event_type = :#type)
  AND e.received_at >= coalesce(:#since::timestamptz, '-infinity')
  -- bounds on the index column itself, so that a late page costs no more than the first
  AND e.received_at <= coalesce(:#before_at::timestamptz, 'infinity')
  AND (:#before_at::timestamptz IS NULL OR (e.received_at, e.id) < (:#before_at::timestamptz, :#before_id::bigint))
  AND (:#queues::text[] IS NULL
       OR EXISTS (SELECT FROM todos t WHERE t.account_id = e.account_id AND t.event_id = e.id AND t.queue = ANY (:#queues::text[])))
ORDER BY e.received_at DESC, e.id DESC
LIMIT :#limit
