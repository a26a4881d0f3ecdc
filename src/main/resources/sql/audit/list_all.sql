-- A page of the audit log of all accounts, newest first, for the operator. Reads idx_audit_log_listed.
-- :#before  uuid  the last line of the page before; null: from the newest
-- :#limit   int   rows to return
-- Returns account (its name), id, at, actor, action, subject, detail and source_ip.
SELECT a.name AS account, l.id::text AS id, l.at, l.actor, l.action, l.subject, l.detail, host(l.source_ip) AS source_ip
FROM audit_log l
JOIN accounts a ON a.id = l.account_id
WHERE l.id < coalesce(:#before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
ORDER BY l.id DESC
LIMIT :#limit
