-- Which adapters were switched over REST.
-- Returns name and enabled (true or false); adapters that follow adapters.yaml are left out.
SELECT name, enabled FROM adapters WHERE enabled IS NOT NULL
