-- Removes elements whose deliveries are committed.
--   KEYS[1]  hash of what this consumer processes, element by id
--   KEYS[2]  hash of refusals by id
--   ARGV     ids
-- Returns how many were still held.
redis.call('HDEL', KEYS[2], unpack(ARGV))
return redis.call('HDEL', KEYS[1], unpack(ARGV))
