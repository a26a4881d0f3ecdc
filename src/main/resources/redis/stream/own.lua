-- Reads again what is pending with this consumer, oldest first. An entry that was trimmed meanwhile is acknowledged, for
-- there is nothing left to deliver.
--   KEYS[1]  the stream
--   KEYS[2]  hash of refusals by entry id
--   ARGV[1]  group
--   ARGV[2]  consumer
--   ARGV[3]  id after which to read; 0 for the beginning
--   ARGV[4]  most entries
-- Returns {entries lost, id of the last one looked at or '', {id, {field, value, …}}, …}.
local reply = redis.call('XREADGROUP', 'GROUP', ARGV[1], ARGV[2], 'COUNT', ARGV[4], 'STREAMS', KEYS[1], ARGV[3])
local found = {0, ''}
for _, entry in ipairs(reply and reply[1][2] or {}) do
  found[2] = entry[1]
  if entry[2] then
    found[#found + 1] = entry
  else
    redis.call('XACK', KEYS[1], ARGV[1], entry[1])
    redis.call('HDEL', KEYS[2], entry[1])
    found[1] = found[1] + 1
  end
end
return found
