-- A page of accounts, newest first.
-- :#before  bigint  the last one of the page before; null: from the newest
-- :#limit   int     rows to return
-- Returns id, name, role, created_at and closed_at.
SELECT a.id, a.name, a.role, a.created_at, a.closed_at
FROM accounts a
WHERE a.id < coalesce(:#before::bigint, 9223372036854775807)
ORDER BY a.id DESC
LIMIT :#limit
