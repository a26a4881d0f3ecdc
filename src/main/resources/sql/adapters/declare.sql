-- Writes down what adapters.yaml declares, without secrets; what was switched over REST stays switched.
-- :#account_ids, :#names, :#families, :#trust_modes, :#configs  arrays  one element for each adapter
-- Returns nothing.
INSERT INTO adapters (account_id, name, family, trust_mode, config)
SELECT d.account_id, d.name, d.family, d.trust_mode, d.config::jsonb
FROM unnest(:#account_ids::bigint[], :#names::text[], :#families::text[], :#trust_modes::text[], :#configs::text[])
  AS d(account_id, name, family, trust_mode, config)
ORDER BY d.account_id, d.name
ON CONFLICT (account_id, name) DO UPDATE
SET family = excluded.family, trust_mode = excluded.trust_mode, config = excluded.config, updated_at = now()
WHERE (adapters.family, adapters.trust_mode, adapters.config) IS DISTINCT FROM (excluded.family, excluded.trust_mode, excluded.config)
