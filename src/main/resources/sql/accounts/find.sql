-- One account.
-- :#id  bigint  which
-- Returns id, name, role, created_at and closed_at; no row when there is none.
SELECT a.id, a.name, a.role, a.created_at, a.closed_at
FROM accounts a
WHERE a.id = :#id
