-- Stores one setting.
-- :#key    text  which; checked by the caller
-- :#value  text  its value; checked by the caller
-- Returns key and value.
INSERT INTO settings (key, value) VALUES (:#key, :#value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value
RETURNING key, value
