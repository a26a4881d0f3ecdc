-- One event, without its payload.
-- :#account_id  bigint  whose
-- :#id          bigint  which
-- :#queues      text[]  only an event with a todo there, and only those todos; null: any
-- Returns the event as the API shows it with rule_trace; no row when there is none, or it is somebody else's.
SELECT e.id, e.source, e.family, e.event_type, e.external_id, e.trust_mode, e.verified, e.verify_detail, e.content_type,
  e.headers, e.payload_size, host(e.source_ip) AS source_ip, e.received_at, e.disposition, e.rule_trace,
  coalesce(k.duplicates, 0) AS duplicates, k.last_duplicate_at, e.replayed_from,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'queue', t.queue, 'state', t.state) ORDER BY t.id), '[]')
   FROM todos t
   WHERE t.account_id = e.account_id AND t.event_id = e.id AND (:#queues::text[] IS NULL OR t.queue = ANY (:#queues::text[]))) AS todos
FROM events e
LEFT JOIN event_keys k
  ON k.account_id = e.account_id AND k.source = e.source AND k.external_id = e.external_id AND k.event_id = e.id
WHERE e.account_id = :#account_id AND e.id = :#id
  AND (:#queues::text[] IS NULL
       OR EXISTS (SELECT FROM todos t WHERE t.account_id = e.account_id AND t.event_id = e.id AND t.queue = ANY (:#queues::text[])))
