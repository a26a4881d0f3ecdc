-- A page of the settings of an account's declared queues, by name.
-- :#account_id  bigint  whose
-- :#name        text    only this one; null: any
-- :#after       text    the last one of the page before; null: from the start
-- :#limit       int     rows to return
-- Returns name, paused, lease_seconds, max_attempts and backoff.
SELECT q.name, q.paused, q.lease_seconds, q.max_attempts, q.backoff
FROM queues q
WHERE q.account_id = :#account_id AND q.name > coalesce(:#after, '') AND (:#name::text IS NULL OR q.name = :#name)
ORDER BY q.name
LIMIT :#limit
