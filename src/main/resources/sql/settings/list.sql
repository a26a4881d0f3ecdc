-- All settings.
-- Returns key and value, by key.
SELECT key, value FROM settings ORDER BY key
