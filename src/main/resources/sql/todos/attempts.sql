-- Reads how the attempts of a todo ended, oldest first; the live one stands on the todo itself.
-- :#id  uuid  the todo
-- Returns attempt, owner, worker, claimed_at, ended_at, outcome and error of each that was kept.
SELECT h.attempt, h.owner, h.worker, h.claimed_at, h.ended_at, h.outcome, h.error
FROM todo_attempts h
WHERE h.todo_id = :#id::uuid
ORDER BY h.attempt
