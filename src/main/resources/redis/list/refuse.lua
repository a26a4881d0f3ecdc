-- Counts a refusal of an element's own data. At the limit the element goes to the dead-letter stream, in one step: it is
-- never in neither place, and never twice in the second.
--   KEYS[1]  hash of what this consumer processes, element by id
--   KEYS[2]  hash of refusals by id
--   KEYS[3]  the dead-letter stream
--   ARGV[1]  id
--   ARGV[2]  refusals at which it is dead; 1: at once
--   ARGV[3]  reason, for a person
--   ARGV[4]  how long refusals are remembered after the last one, in milliseconds
-- Returns 'counted', 'dead', or 'gone' (somebody else is through with it, or took it over).
local element = redis.call('HGET', KEYS[1], ARGV[1])
if not element then
  return 'gone'
end
local refusals = redis.call('HINCRBY', KEYS[2], ARGV[1], 1)
redis.call('PEXPIRE', KEYS[2], ARGV[4])
if refusals < tonumber(ARGV[2]) then
  return 'counted'
end
redis.call('XADD', KEYS[3], '*', 'switchboard-id', ARGV[1], 'switchboard-reason', ARGV[3], 'switchboard-refusals', refusals,
  'element', element)
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
return 'dead'
