-- Counts a refusal of an entry's own data. At the limit the entry is copied to the dead-letter stream and acknowledged, in
-- one step: it is never in neither place, and never twice in the second.
--   KEYS[1]  the stream
--   KEYS[2]  hash of refusals by entry id
--   KEYS[3]  the dead-letter stream
--   ARGV[1]  group
--   ARGV[2]  id
--   ARGV[3]  refusals at which it is dead; 1: at once
--   ARGV[4]  reason, for a person
--   ARGV[5]  how long refusals are remembered after the last one, in milliseconds
-- Returns 'counted', 'dead', 'lost' (trimmed meanwhile: nothing to copy), or 'gone' (somebody else is through with it).
if #redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1) == 0 then
  redis.call('HDEL', KEYS[2], ARGV[2])
  return 'gone'
end
local refusals = redis.call('HINCRBY', KEYS[2], ARGV[2], 1)
redis.call('PEXPIRE', KEYS[2], ARGV[5])
if refusals < tonumber(ARGV[3]) then
  return 'counted'
end
local entry = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2])[1]
if entry then
  local fields = entry[2]
  -- unpack has a limit of 8000
  if #fields > 7000 then
    fields = {'switchboard-packed', cmsgpack.pack(fields)}
  end
  redis.call('XADD', KEYS[3], '*', 'switchboard-id', ARGV[2], 'switchboard-reason', ARGV[4], 'switchboard-refusals',
    refusals, unpack(fields))
end
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('HDEL', KEYS[2], ARGV[2])
return entry and 'dead' or 'lost'
