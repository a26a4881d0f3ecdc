-- Makes the queues that rules name, where they do not exist; never inside the intake transaction.
-- :#account_ids, :#names  arrays  one element for each queue
-- Returns nothing.
INSERT INTO queues (account_id, name)
SELECT d.account_id, d.name
FROM unnest(:#account_ids::bigint[], :#names::text[]) AS d(account_id, name)
ORDER BY d.account_id, d.name
ON CONFLICT DO NOTHING
