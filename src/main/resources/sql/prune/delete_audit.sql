-- Deletes what is too old of the audit log, of all accounts. Reads idx_audit_log_at. Bounded: run it again while it finds as many
-- as its limit.
-- :#days   int  how many are kept
-- :#limit  int  how many lines at most
-- Returns how many went.
WITH old AS MATERIALIZED (
  SELECT l.account_id, l.id
  FROM audit_log l
  WHERE l.at < now() - :#days * interval '1 day'
  ORDER BY l.at
  LIMIT :#limit
  FOR UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM audit_log l
  USING old
  WHERE l.account_id = old.account_id AND l.id = old.id
  RETURNING l.id
)
SELECT count(*) AS lines FROM gone
