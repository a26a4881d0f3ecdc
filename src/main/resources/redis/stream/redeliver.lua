-- Puts dead entries back at the end of their stream, as they were sent, and removes them from the dead-letter stream.
--   KEYS[1]  the stream
--   KEYS[2]  the dead-letter stream
--   ARGV[1]  where to begin: - or (<id>
--   ARGV[2]  last id to look at: + or <id>
--   ARGV[3]  most entries
-- Returns {entries put back, entries left because they have more than 3,500 fields, id of the last one or ''}.
local result = {0, 0, ''}
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], ARGV[1], ARGV[2], 'COUNT', ARGV[3])) do
  local id, fields = entry[1], entry[2]
  result[3] = id
  -- the first three fields are what refuse.lua said about it
  if fields[7] == 'switchboard-packed' and #fields == 8 then
    result[2] = result[2] + 1
  else
    redis.call('XADD', KEYS[1], '*', unpack(fields, 7))
    redis.call('XDEL', KEYS[2], id)
    result[1] = result[1] + 1
  end
end
return result
