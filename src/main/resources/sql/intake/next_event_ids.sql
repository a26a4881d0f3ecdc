-- Takes a block of 1,024 event ids; outside the transaction, since gaps are harmless.
-- Returns the first id of the block.
SELECT nextval('event_ids')
