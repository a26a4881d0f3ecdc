-- Tells which of some credentials still bear their scope.
-- :#credentials  bigint[]  their ids
-- Returns the id of each live one.
SELECT g.id FROM live_credentials g WHERE g.id = ANY (:#credentials::bigint[])
