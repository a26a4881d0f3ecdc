-- Takes over what has been pending for too long with whichever consumer: its hub is dead, or frozen. The entries are read
-- by own.lua afterwards. JUSTID, because Redis 6.2 answers a trimmed entry with nothing to acknowledge it by.
--   KEYS[1]  the stream
--   KEYS[2]  hash of refusals by entry id
--   ARGV[1]  group
--   ARGV[2]  consumer that takes over
--   ARGV[3]  how long an entry must have been pending, in milliseconds
--   ARGV[4]  most entries
-- Returns {entries taken over, entries lost}: from Redis 7 on, trimmed entries are acknowledged and named by XAUTOCLAIM.
local cursor, adopted, lost = '0-0', 0, 0
repeat
  local reply = redis.call('XAUTOCLAIM', KEYS[1], ARGV[1], ARGV[2], ARGV[3], cursor, 'COUNT', ARGV[4], 'JUSTID')
  cursor = reply[1]
  adopted = adopted + #reply[2]
  for _, id in ipairs(reply[3] or {}) do
    redis.call('HDEL', KEYS[2], id)
    lost = lost + 1
  end
until cursor == '0-0' or adopted >= tonumber(ARGV[4])
return {adopted, lost}
