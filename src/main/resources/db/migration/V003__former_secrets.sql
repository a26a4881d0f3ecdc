-- What: the token or secret that a webhook made over REST had before its last rotation, and until when it still works.
-- Why:  a sender is given the new one after it was minted; until then its deliveries must get in.
-- Operator of a large table: nothing to do, the table is small, and columns without a default rewrite nothing.

ALTER TABLE webhooks
  ADD COLUMN former_token_hash bytea,
  ADD COLUMN former_secret     bytea,
  ADD COLUMN former_until      timestamptz,
  ADD CHECK ((former_until IS NOT NULL) = (num_nonnulls(former_token_hash, former_secret) = 1)),
  ADD CHECK (num_nonnulls(former_token_hash, former_secret) <= 1);
COMMENT ON COLUMN webhooks.former_until IS 'when the former token or secret ends; null: there is none';
