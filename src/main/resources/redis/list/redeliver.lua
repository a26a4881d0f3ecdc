-- Puts dead elements back at the end of their list and removes them from the dead-letter stream.
--   KEYS[1]  the list
--   KEYS[2]  the dead-letter stream
--   ARGV[1]  where to begin: - or (<id>
--   ARGV[2]  last id to look at: + or <id>
--   ARGV[3]  most elements
-- Returns {elements put back, 0, id of the last one or ''}.
local result = {0, 0, ''}
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], ARGV[1], ARGV[2], 'COUNT', ARGV[3])) do
  -- the first three fields are what refuse.lua said about it; the fourth is the element
  redis.call('RPUSH', KEYS[1], entry[2][8])
  redis.call('XDEL', KEYS[2], entry[1])
  result[1] = result[1] + 1
  result[3] = entry[1]
end
return result
