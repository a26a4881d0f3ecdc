-- How many live credentials an account has that belong to no agent. Run under lock_account.sql.
-- :#account_id  bigint  whose
-- Returns the count.
SELECT count(*) FROM credentials WHERE account_id = :#account_id AND endpoint_id IS NULL AND revoked_at IS NULL
