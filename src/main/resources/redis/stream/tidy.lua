-- Removes consumers that have nothing pending and have not asked for a while: their hubs are dead. Trims the stream when
-- asked to, but nothing that any group has not read or has pending.
--   KEYS[1]  the stream
--   KEYS[2]  the dead-letter stream
--   ARGV[1]  group
--   ARGV[2]  consumer that asks, and stays
--   ARGV[3]  how long another one must have been idle, in milliseconds
--   ARGV[4]  entries to keep, about; 0 does not trim
-- Returns {length of the dead-letter stream, consumers removed, entries trimmed}.
local function named(reply)
  local values = {}
  for i = 1, #reply, 2 do
    values[reply[i]] = reply[i + 1]
  end
  return values
end

-- ids are <milliseconds>-<number>, and a number may not fit into a double
local function before(a, b)
  local am, as = a:match('(%d+)-(%d+)')
  local bm, bs = b:match('(%d+)-(%d+)')
  local left, right = am, bm
  if am == bm then
    left, right = as, bs
  end
  return #left < #right or (#left == #right and left < right)
end

local removed, trimmed = 0, 0
for _, reply in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local consumer = named(reply)
  if consumer.name ~= ARGV[2] and consumer.pending == 0 and consumer.idle > tonumber(ARGV[3]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], consumer.name)
    removed = removed + 1
  end
end

local over = ARGV[4] == '0' and 0 or redis.call('XLEN', KEYS[1]) - tonumber(ARGV[4])
if over > 0 then
  local floor
  for _, reply in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
    local group = named(reply)
    local needed = group['last-delivered-id']
    if group.pending > 0 then
      needed = redis.call('XPENDING', KEYS[1], group.name)[2]
    end
    if not floor or before(needed, floor) then
      floor = needed
    end
  end
  trimmed = redis.call('XTRIM', KEYS[1], 'MINID', '~', floor, 'LIMIT', over)
end
return {redis.call('XLEN', KEYS[2]), removed, trimmed}
