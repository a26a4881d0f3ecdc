-- How many live credentials an account has that the hub set itself. Run under lock_account.sql.
-- :#account_id  bigint  whose
-- Returns the count.
SELECT count(*) FROM credentials WHERE account_id = :#account_id AND endpoint_id IS NULL AND name IS NULL AND revoked_at IS NULL
