-- Signed GitHub deliveries, each with an identity of its own. The identity is a header that the signature does not cover,
-- so one signature serves all: what is measured is the hub, not the signing.
-- Arguments: signature, path of the body.
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("thread", threads)
end

function init(args)
  signature = args[1]
  local file = assert(io.open(args[2], "rb"))
  body = file:read("*a")
  file:close()
  run = args[3]
  sent = 0
end

function request()
  sent = sent + 1
  return wrk.format("POST", "/webhooks/github", {
    ["Content-Type"] = "application/json",
    ["X-GitHub-Event"] = "push",
    ["X-GitHub-Delivery"] = run .. "-" .. thread .. "-" .. sent,
    ["X-Hub-Signature-256"] = signature,
  }, body)
end

function done(summary, latency)
  io.write(string.format("RESULT %.1f %.2f %.2f %d\n", summary.requests / (summary.duration / 1e6),
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
