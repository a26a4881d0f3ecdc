-- The accounts of these names.
-- :#names  text[]  as adapters.yaml has them
-- Returns id and name.
SELECT id, name FROM accounts WHERE name = ANY (:#names::text[])
