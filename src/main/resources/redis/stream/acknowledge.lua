-- Acknowledges entries whose deliveries are committed.
--   KEYS[1]  the stream
--   KEYS[2]  hash of refusals by entry id
--   ARGV[1]  group
--   ARGV[2…] ids
-- Returns how many were still pending.
redis.call('HDEL', KEYS[2], unpack(ARGV, 2))
return redis.call('XACK', KEYS[1], unpack(ARGV))
