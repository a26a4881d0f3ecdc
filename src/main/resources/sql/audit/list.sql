-- A page of the audit log of an account, newest first.
-- :#account_id  bigint  whose affairs
-- :#before      uuid    the last line of the page before; null: from the newest
-- :#limit       int     rows to return
-- Returns id, at, actor, action, subject, detail and source_ip.
SELECT l.id::text AS id, l.at, l.actor, l.action, l.subject, l.detail, host(l.source_ip) AS source_ip
FROM audit_log l
WHERE l.account_id = :#account_id AND l.id < coalesce(:#before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
ORDER BY l.id DESC
LIMIT :#limit
