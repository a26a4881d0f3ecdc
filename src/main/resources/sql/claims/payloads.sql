-- Reads the bodies of the events behind claimed todos that have no payload of their own, as far as each answer's budget
-- goes: in the order of the answer, until one does not fit.
-- :#account   bigint    whose events
-- :#answers   int[]     which answer the todo stands in; one element for each todo, as in all the arrays
-- :#places    int[]     its place in that answer
-- :#events    bigint[]  its event; null when it has a payload of its own or none
-- :#sizes     int[]     bytes of its own payload, 0 for none
-- :#budgets   int[]     bytes that its answer may hold
-- Returns answer, place, content_type and payload of each todo whose event's body fits.
WITH asked AS MATERIALIZED (
  SELECT a.answer, a.place, a.event_id, a.size, a.budget
  FROM unnest(:#answers::int[], :#places::int[], :#events::bigint[], :#sizes::int[], :#budgets::int[]) AS a(answer, place, event_id, size, budget)
), sized AS MATERIALIZED (
  SELECT a.answer, a.place, a.event_id, a.budget,
    sum(a.size + coalesce(e.payload_size, 0)::bigint) OVER (PARTITION BY a.answer ORDER BY a.place) AS reached
  FROM asked a
  LEFT JOIN events e ON e.account_id = :#account AND e.id = a.event_id
)
SELECT s.answer, s.place, e.content_type, e.payload
FROM sized s
JOIN events e ON e.account_id = :#account AND e.id = s.event_id
WHERE s.reached <= s.budget
