-- Reads how often a waiting claim looks again without being rung for.
-- Returns seconds; no row when the setting is gone.
SELECT s.value::int AS seconds
FROM settings s
WHERE s.key = 'claim_repoll_seconds'
