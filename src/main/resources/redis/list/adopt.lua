-- Takes over what consumers hold whose lease has lapsed: their hubs are dead, or frozen. Elements keep their ids. The caller
-- reads them with own.lua.
--   KEYS[1]  set of consumers that may hold something
--   KEYS[2]  hash of what the caller processes, element by id
--   ARGV[1]  the caller's consumer
--   ARGV[2]  name of a consumer's hash, up to the consumer
--   ARGV[3]  name of a consumer's lease, up to the consumer
-- Returns {elements taken over, 0}.
local adopted = 0
for _, consumer in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if consumer ~= ARGV[1] and redis.call('EXISTS', ARGV[3] .. consumer) == 0 then
    local held = redis.call('HGETALL', ARGV[2] .. consumer)
    for i = 1, #held, 2 do
      redis.call('HSET', KEYS[2], held[i], held[i + 1])
      adopted = adopted + 1
    end
    redis.call('DEL', ARGV[2] .. consumer)
    redis.call('SREM', KEYS[1], consumer)
  end
end
return {adopted, 0}
