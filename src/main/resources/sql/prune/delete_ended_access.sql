-- Deletes what ended long ago: tokens, endpoints with their credentials, edges, agents. What an endpoint held was settled before.
-- :#days   int  how long they are kept after their end
-- :#limit  int  how many of each at most
-- Returns how many credentials went.
WITH edges AS MATERIALIZED (
  SELECT f.id
  FROM friend_edges f
  WHERE f.state IN ('denied', 'revoked') AND f.decided_at < now() - :#days * interval '1 day'
  LIMIT :#limit
), vended AS MATERIALIZED (
  SELECT e.id
  FROM endpoints e
  WHERE e.settled AND least(e.revoked_at, e.expires_at) < now() - :#days * interval '1 day'
  LIMIT :#limit
), borne AS (
  DELETE FROM credentials c
  USING vended
  WHERE c.endpoint_id = vended.id
  RETURNING c.account_id, c.id
), tokens AS (
  DELETE FROM credentials c
  WHERE c.id IN (SELECT k.id
                 FROM credentials k
                 WHERE k.endpoint_id IS NULL AND least(k.revoked_at, k.expires_at) < now() - :#days * interval '1 day'
                 LIMIT :#limit)
  RETURNING c.account_id, c.id
), doors AS (
  -- settled long ago, so there is none; but none may keep its endpoint
  DELETE FROM webhooks w
  USING vended
  WHERE w.endpoint_id = vended.id
), ended AS (
  DELETE FROM endpoints e
  USING vended
  WHERE e.id = vended.id
), parted AS (
  -- an edge goes with its endpoint, or after it
  DELETE FROM friend_edges f
  USING edges
  WHERE f.id = edges.id
    AND NOT EXISTS (SELECT FROM endpoints e WHERE e.friend_edge_id = f.id AND e.id NOT IN (SELECT vended.id FROM vended))
), removed AS (
  DELETE FROM agents n
  WHERE n.id IN (SELECT a.id FROM agents a WHERE a.removed_at < now() - :#days * interval '1 day' LIMIT :#limit)
    AND NOT EXISTS (SELECT FROM endpoints e WHERE e.agent_id = n.id AND e.id NOT IN (SELECT vended.id FROM vended))
)
SELECT (SELECT count(*) FROM borne) + (SELECT count(*) FROM tokens) AS credentials
