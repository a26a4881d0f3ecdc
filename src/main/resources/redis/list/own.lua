-- Reads again what this consumer processes, oldest first.
--   KEYS[1]  hash of what this consumer processes, element by id
--   ARGV[1]  id after which to read; 0 for the beginning
--   ARGV[2]  most elements
-- Returns {0, id of the last one or '', {id, {element}}, …}.
local function parts(id)
  local millis, number = id:match('(%d+)-(%d+)')
  return tonumber(millis or id), tonumber(number or 0)
end

local function before(a, b)
  local am, an = parts(a)
  local bm, bn = parts(b)
  return am < bm or (am == bm and an < bn)
end

local ids = {}
for _, id in ipairs(redis.call('HKEYS', KEYS[1])) do
  if before(ARGV[1], id) then
    ids[#ids + 1] = id
  end
end
table.sort(ids, before)
local found = {0, ''}
for i = 1, math.min(#ids, tonumber(ARGV[2])) do
  found[2] = ids[i]
  found[#found + 1] = {ids[i], {redis.call('HGET', KEYS[1], ids[i])}}
end
return found
