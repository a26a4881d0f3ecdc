-- Finds the live todos whose key swallowed ours.
-- :#swallowed_…  arrays  one element for each todo that was not inserted
-- Returns wanted (our id) and id (the live todo's); no row when it finished in between.
SELECT s.wanted, t.id
FROM unnest(:#swallowed_ids::uuid[], :#swallowed_account_ids::bigint[], :#swallowed_queues::text[], :#swallowed_keys::text[])
  AS s(wanted, account_id, queue, key)
JOIN todos t ON t.account_id = s.account_id AND t.queue = s.queue AND t.idempotency_key = s.key
  -- the predicate of idx_todos_dedupe, word for word
  AND t.idempotency_key IS NOT NULL AND t.state <> 'done' AND t.state <> 'failed'
