-- Looks for accounts with something to prune; the one statement that an idle hub runs each second.
-- :#age_days                            int     what is older goes
-- :#account_ids, :#event_ats, :#event_ids, :#todo_ats, :#todo_ids  arrays  how far each account was looked through, above which the look begins
-- Returns account_id, before (the age limit as a time), events_due and todos_due for each account with either.
SELECT *
FROM (
  SELECT a.id AS account_id, now() - :#age_days * interval '1 day' AS before,
    EXISTS (
      SELECT FROM events e
      WHERE e.account_id = a.id
        AND e.received_at < now() - :#age_days * interval '1 day'
        AND e.received_at >= coalesce(p.event_at, '-infinity')
        AND (e.received_at, e.id) > (coalesce(p.event_at, '-infinity'), coalesce(p.event_id, 0))) AS events_due,
    EXISTS (
      SELECT FROM todos t
      WHERE t.account_id = a.id
        AND t.state IN ('done', 'failed')
        AND t.event_id IS NULL
        AND t.completed_at < now() - :#age_days * interval '1 day'
        AND t.completed_at >= coalesce(p.todo_at, '-infinity')
        AND (t.completed_at, t.id) > (coalesce(p.todo_at, '-infinity'), coalesce(p.todo_id, '00000000-0000-0000-0000-000000000000'))) AS todos_due
  FROM accounts a
  LEFT JOIN unnest(:#account_ids::bigint[], :#event_ats::timestamptz[], :#event_ids::bigint[], :#todo_ats::timestamptz[], :#todo_ids::uuid[])
    AS p(account_id, event_at, event_id, todo_at, todo_id) ON p.account_id = a.id
) AS looked
WHERE events_due OR todos_due
