-- Takes elements from the head of the list, under the consumer's lease. Each gets an id, so that two equal ones stay two, and
-- stands among what is being processed until it is acknowledged by that id.
--   KEYS[1]  the list
--   KEYS[2]  hash of what this consumer processes, element by id
--   KEYS[3]  set of consumers that may hold something
--   KEYS[4]  the consumer's lease
--   KEYS[5]  counter that makes ids differ within a millisecond
--   ARGV[1]  consumer
--   ARGV[2]  length of the lease, in milliseconds
--   ARGV[3]  most elements; 0 only renews the lease
-- Returns {0, id of the last one or '', {id, {element}}, …}; an id is <milliseconds>-<number>.
redis.call('SADD', KEYS[3], ARGV[1])
redis.call('SET', KEYS[4], '1', 'PX', ARGV[2])
local taken = {0, ''}
if ARGV[3] == '0' then
  return taken
end
local time = redis.call('TIME')
local millis = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
for _, element in ipairs(redis.call('LPOP', KEYS[1], ARGV[3]) or {}) do
  local id = millis .. '-' .. redis.call('INCR', KEYS[5])
  redis.call('HSET', KEYS[2], id, element)
  taken[2] = id
  taken[#taken + 1] = {id, {element}}
end
return taken
