-- Inserts the events that are new, and remembers their identity; a copy of an earlier delivery inserts nothing.
-- First statement of the intake transaction, hence it also sets how that transaction behaves: set_config(…, true) is
-- SET LOCAL without a round trip of its own.
-- :#lock_timeout    text       milliseconds to wait for a key that another transaction holds
-- :#ids, :#account_ids, :#sources, :#families, :#event_types, :#external_ids, :#trust_modes, :#verifieds, :#verify_details,
-- :#signature_hashes, :#content_types, :#headers, :#payloads, :#source_ips, :#dispositions, :#rule_traces, :#replayed_froms  arrays  one element
-- for each delivery, in the same order; ids come from event_ids beforehand
-- Returns a row for each new event: id, transaction_id and server_started (microseconds since 1970), to ask later how a lost COMMIT ended.
WITH new_keys AS (
  INSERT INTO event_keys (account_id, source, external_id, event_id, signature_hash)
  SELECT d.account_id, d.source, d.external_id, d.id, d.signature_hash
  FROM (SELECT
          set_config('lock_timeout', :#lock_timeout, true),
          -- a hub that freezes in here must not keep its keys for ever
          set_config('idle_in_transaction_session_timeout', '5000', true),
          -- raised, never lowered: an acknowledged delivery is on disk
          set_config('synchronous_commit',
            CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true)
       ) AS behaviour,
       unnest(:#account_ids::bigint[], :#sources::text[], :#external_ids::text[], :#ids::bigint[], :#signature_hashes::bytea[])
         AS d(account_id, source, external_id, id, signature_hash)
  WHERE d.external_id IS NOT NULL
  -- one lock order for all committers; the first of two copies in one batch wins
  ORDER BY d.account_id, d.source, d.external_id, d.id
  -- no target: a signature that was met under another identity is a duplicate as well
  ON CONFLICT DO NOTHING
  RETURNING event_id
)
INSERT INTO events (id, account_id, source, family, event_type, external_id, trust_mode, verified, verify_detail,
  content_type, headers, payload, payload_size, source_ip, disposition, rule_trace, replayed_from)
SELECT d.id, d.account_id, d.source, d.family, d.event_type, d.external_id, d.trust_mode, d.verified, d.verify_detail,
  d.content_type, d.headers::jsonb, d.payload, octet_length(d.payload), d.source_ip::inet, d.disposition, d.rule_trace::jsonb, d.replayed_from
FROM unnest(:#ids::bigint[], :#account_ids::bigint[], :#sources::text[], :#families::text[], :#event_types::text[],
            :#external_ids::text[], :#trust_modes::text[], :#verifieds::boolean[], :#verify_details::text[],
            :#content_types::text[], :#headers::text[], :#payloads::bytea[], :#source_ips::text[],
            :#dispositions::text[], :#rule_traces::text[], :#replayed_froms::bigint[])
  AS d(id, account_id, source, family, event_type, external_id, trust_mode, verified, verify_detail,
       content_type, headers, payload, source_ip, disposition, rule_trace, replayed_from)
WHERE d.external_id IS NULL OR d.id IN (SELECT event_id FROM new_keys)
RETURNING id,
  pg_current_xact_id()::text::bigint AS transaction_id,
  (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started
