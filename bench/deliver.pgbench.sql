-- (a) what one transaction per delivery costs: key, event and todo, three single-row INSERTs in the hub's own schema
\set delivery random(1, 9000000000000000000)
BEGIN;
INSERT INTO event_keys (account_id, source, external_id, event_id) VALUES (1, 'pgbench', :delivery::text, :delivery) ON CONFLICT DO NOTHING;
INSERT INTO events (id, account_id, source, family, event_type, external_id, trust_mode, verified, verify_detail, content_type, headers, payload, payload_size, source_ip, disposition) VALUES (:delivery, 1, 'pgbench', 'webhook', 'push', :delivery::text, 'signed', true, 'X-Hub-Signature-256 (HMAC-SHA256)', 'application/json', '{"host": "127.0.0.1", "content-type": "application/json", "content-length": "540", "x-github-event": "push", "x-hub-signature-256": "redacted"}', convert_to(repeat('x', 540), 'UTF8'), 540, '127.0.0.1', 'routed');
INSERT INTO todos (id, account_id, queue, source, kind, title, payload_ref, idempotency_key, event_id) VALUES (uuidv7(), 1, 'pgbench-in', 'pgbench', 'push', 'pgbench push', 'event:' || :delivery, 'pgbench:' || :delivery || '#default', :delivery) ON CONFLICT DO NOTHING;
COMMIT;
