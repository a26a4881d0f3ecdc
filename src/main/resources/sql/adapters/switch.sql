-- Switches an adapter on or off for all nodes, or back to what adapters.yaml says, and tells them.
-- :#account_id  bigint   whose
-- :#name        text     which
-- :#enabled     boolean  true, false, or null: as adapters.yaml says
-- Returns name; no row when it is not declared.
UPDATE adapters
SET enabled = :#enabled::boolean, updated_at = now()
WHERE account_id = :#account_id AND name = :#name
RETURNING name, (SELECT count(pg_notify('access_changed', 'adapters')))
