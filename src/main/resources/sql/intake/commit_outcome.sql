-- Says how a transaction ended whose COMMIT lost its connection.
-- :#account_id, :#event_id  bigint  an event that it inserted
-- :#transaction_id          bigint  its 64-bit id
-- :#server_started          bigint  when the server that gave that id had started, microseconds since 1970
-- Returns one word: visible; committed, aborted, in progress; restarted: not visible, and the server is another one by now.
SELECT CASE
  WHEN EXISTS (SELECT FROM events e WHERE e.account_id = :#account_id AND e.id = :#event_id) THEN 'visible'
  -- after a crash transaction ids are handed out again, so their fate proves nothing
  WHEN (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint <> :#server_started::bigint THEN 'restarted'
  ELSE coalesce(pg_xact_status(:#transaction_id::bigint::text::xid8), 'aborted')
END
