-- All webhooks that take deliveries: their account is open, and whoever made them still has its endpoint.
-- Returns id, account_id, account (its name), name, type, queue, token_hash, secret, changed_at (microseconds since 1970), and
-- former_token_hash, former_secret and former_until (milliseconds since 1970) of one that was rotated.
SELECT w.id, w.account_id, a.name AS account, w.name, w.type, w.queue, w.token_hash, w.secret,
  (extract(epoch FROM w.changed_at) * 1000000)::bigint AS changed_at,
  w.former_token_hash, w.former_secret, (extract(epoch FROM w.former_until) * 1000)::bigint AS former_until
FROM webhooks w
JOIN accounts a ON a.id = w.account_id
LEFT JOIN endpoints e ON e.id = w.endpoint_id
WHERE a.closed_at IS NULL
  AND (w.endpoint_id IS NULL OR (e.revoked_at IS NULL AND (e.expires_at IS NULL OR e.expires_at > now())))
