-- Locks an account, so that of several nodes one at a time looks at its credentials.
-- :#account_id  bigint  which
-- Returns its id.
SELECT id FROM accounts WHERE id = :#account_id FOR UPDATE
