-- Agents that claim and complete: what a claim brought is completed next. A connection is an agent.
-- Arguments: credential, queue, how many to claim at a time.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. args[1] }
  limit = tonumber(args[3])
  claim = wrk.format("POST", "/v1/claim", headers,
    string.format('{"queues":["%s"],"limit":%d,"lease_seconds":600,"max_bytes":0}', args[2], limit))
  claimed = {}
  completed = 0
  refused = 0
end

function request()
  local mine = table.remove(claimed)
  if not mine then
    return claim
  end
  if limit == 1 then
    return wrk.format("POST", "/v1/todos/" .. mine[1].id .. "/complete", headers, '{"attempt":' .. mine[1].attempt .. "}")
  end
  local items = {}
  for i, todo in ipairs(mine) do
    items[i] = '{"id":"' .. todo.id .. '","attempt":' .. todo.attempt .. "}"
  end
  return wrk.format("POST", "/v1/complete", headers, '{"todos":[' .. table.concat(items, ",") .. "]}")
end

function response(status, _, body)
  if status ~= 200 then
    refused = refused + 1
    return
  end
  local batch = {}
  for todo in body:gmatch('{"id":"[^{]*') do
    local state = todo:match('"state":"(%a+)"')
    if state == "claimed" then
      table.insert(batch, { id = todo:match('"id":"([^"]+)"'), attempt = todo:match('"attempt":(%d+)') })
    elseif state == "done" then
      completed = completed + 1
    end
  end
  if #batch > 0 then
    table.insert(claimed, batch)
  end
end

function done(summary, latency)
  local pairs_done, errors = 0, 0
  for _, thread in ipairs(threads) do
    pairs_done = pairs_done + thread:get("completed")
    errors = errors + thread:get("refused")
  end
  io.write(string.format("RESULT %.1f %.2f %.2f %d\n", pairs_done / (summary.duration / 1e6),
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, errors))
end
