import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import fixtures.SchemaDump;
import fixtures.StoppablePostgres;
import fixtures.TestDatabase;
import hub.Database;
import hub.HubConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the migrations decide, because it cannot be decided later. */
@SuppressWarnings("DefaultPackage") // the schema belongs to no room
class SchemaTest {
    private static final Path WRITTEN_DOWN = Path.of("docs", "schema.sql");

    @AutoClose
    private static final TestDatabase database = TestDatabase.create();

    @Test
    void theTablesAreTheseAndNoOthers() {
        assertThat(database.query("""
                        SELECT relname AS name FROM pg_class
                        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname
                        """))
                .extracting(row -> row.get("name"))
                .containsExactly(
                        "accounts",
                        "adapters",
                        "agents",
                        "audit_log",
                        "credentials",
                        "endpoints",
                        "event_keys",
                        "events",
                        "flyway_schema_history",
                        "friend_edges",
                        "queues",
                        "settings",
                        "todo_attempts",
                        "todos",
                        "webhooks");
    }

    /** In brackets: may be null. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            accounts      | id bigint, name text, role text, created_at timestamptz, [issuer text], [subject text], [closed_at timestamptz], webhooks_most int, webhook_types text[], [webhook_queues text[]]
            credentials   | id bigint, account_id bigint, hash bytea, prefix text, [expires_at timestamptz], [revoked_at timestamptz], [last_used_at timestamptz], created_at timestamptz, [endpoint_id uuid], [name text]
            agents        | id uuid, account_id bigint, name text, [description text], created_at timestamptz, [removed_at timestamptz]
            endpoints     | id uuid, account_id bigint, [agent_id uuid], [friend_edge_id uuid], queues text[], verbs text[], [lease_seconds int], [max_lease_seconds int], [rate_limit int], [max_webhooks int], [expires_at timestamptz], [revoked_at timestamptz], [revoked_todos text], settled bool, created_at timestamptz
            friend_edges  | id uuid, account_id bigint, asked text, [owner_id bigint], queues text[], verbs text[], [reason text], state text, created_at timestamptz, [decided_at timestamptz]
            webhooks      | id text, account_id bigint, [endpoint_id uuid], name text, type text, queue text, [token_hash bytea], [secret bytea], created_at timestamptz, changed_at timestamptz, [former_token_hash bytea], [former_secret bytea], [former_until timestamptz]
            audit_log     | account_id bigint, id uuid, at timestamptz, actor text, action text, subject text, detail jsonb, [source_ip inet]
            queues        | account_id bigint, name text, paused bool, lease_seconds int, max_attempts int, backoff jsonb
            adapters      | account_id bigint, name text, family text, trust_mode text, [enabled bool], [config jsonb], created_at timestamptz, updated_at timestamptz
            settings      | key text, value text
            events        | account_id bigint, id bigint, source text, family text, [event_type text], [external_id text], trust_mode text, verified bool, [verify_detail text], [content_type text], [headers jsonb], payload bytea, payload_size int, [source_ip inet], received_at timestamptz, disposition text, [rule_trace jsonb], [replayed_from bigint]
            event_keys    | account_id bigint, source text, external_id text, event_id bigint, first_seen timestamptz, duplicates int, [last_duplicate_at timestamptz], [signature_hash bytea]
            todos         | id uuid, account_id bigint, queue text, source text, [kind text], [title text], [payload_ref text], [payload jsonb], [idempotency_key text], [assignee text], state text, due bool, [held text], priority smallint, ready_at timestamptz, [owner text], [worker text], [lease_expires_at timestamptz], attempt int, failures int, max_attempts int, [last_owner text], [last_outcome text], [last_error text], [failed_reason text], [result jsonb], [event_id bigint], [created_by text], created_at timestamptz, updated_at timestamptz, [claimed_at timestamptz], [completed_at timestamptz]
            todo_attempts | todo_id uuid, attempt int, [owner text], [worker text], [claimed_at timestamptz], ended_at timestamptz, outcome text, [error text]
            """)
    void aTableHasTheseColumns(String table, String columns) {
        assertThat(database.value("""
                        SELECT string_agg(CASE WHEN attnotnull THEN c ELSE '[' || c || ']' END, ', ' ORDER BY attnum)
                        FROM pg_attribute, concat(attname, ' ',
                          CASE atttypid::regtype::text
                            WHEN 'timestamp with time zone' THEN 'timestamptz' WHEN 'integer' THEN 'int' WHEN 'boolean' THEN 'bool'
                            ELSE atttypid::regtype::text END) AS c
                        WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped
                        """, table)).isEqualTo(columns);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            accounts      | id
            credentials   | id
            agents        | id
            endpoints     | id
            friend_edges  | id
            webhooks      | id
            audit_log     | account_id, id
            queues        | account_id, name
            adapters      | account_id, name
            settings      | key
            events        | account_id, id
            event_keys    | account_id, source, external_id
            todos         | id
            todo_attempts | todo_id, attempt
            """)
    void aTableHasThisPrimaryKey(String table, String key) {
        assertThat(database.value(
                        "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = ?::regclass AND contype = 'p'",
                        table))
                .isEqualTo("PRIMARY KEY (" + key + ")");
    }

    /** The predicate as PostgreSQL spells it, without its casts. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            idx_todos_pending          | (account_id, queue, priority DESC, ready_at, id)           | state = 'pending' AND due AND assignee IS NULL
            idx_todos_pending_assigned | (account_id, queue, assignee, priority DESC, ready_at, id) | state = 'pending' AND due AND assignee IS NOT NULL
            idx_todos_scheduled        | (ready_at)                                                 | state = 'pending' AND NOT due AND held IS NULL
            idx_todos_leases           | (lease_expires_at)                                         | state = 'claimed'
            idx_todos_terminal         | (account_id, completed_at, id)                             | state = ANY ARRAY['done', 'failed']
            idx_todos_listed           | (account_id, id DESC)                                      | -
            idx_todos_listed_queue     | (account_id, queue, id DESC)                               | -
            idx_todos_event            | (account_id, event_id)                                     | event_id IS NOT NULL
            idx_events_received        | (account_id, received_at DESC, id DESC)                    | -
            idx_events_source_received | (account_id, source, received_at DESC, id DESC)            | -
            idx_event_keys_first_seen  | (first_seen)                                               | -
            idx_credentials_account    | (account_id, id)                                           | -
            idx_credentials_endpoint   | (endpoint_id)                                              | endpoint_id IS NOT NULL
            idx_agents_listed          | (account_id, id DESC)                                      | -
            idx_endpoints_listed       | (account_id, id DESC)                                      | -
            idx_friend_edges_asking    | (account_id, id DESC)                                      | -
            idx_audit_log_listed       | (id DESC)                                                  | -
            idx_audit_log_at           | (at)                                                       | -
            """)
    void anIndexServesItsStatements(String index, String columns, String predicate) {
        assertThat(indexed(index)).isEqualTo(columns + (predicate == null ? "" : " WHERE " + predicate));
    }

    @Test
    void aSignatureIsRememberedOnce() {
        assertThat(database.value(
                        "SELECT indisunique FROM pg_index WHERE indexrelid = 'idx_event_keys_signature'::regclass"))
                .isEqualTo(true);
        assertThat(indexed("idx_event_keys_signature"))
                .isEqualTo("(account_id, source, signature_hash) WHERE signature_hash IS NOT NULL");
    }

    @Test
    void onlyLiveTodosWithAKeyAreUnique() {
        assertThat(database.value("SELECT indisunique FROM pg_index WHERE indexrelid = 'idx_todos_dedupe'::regclass"))
                .isEqualTo(true);
        assertThat(indexed("idx_todos_dedupe"))
                .isEqualTo("(account_id, queue, idempotency_key)"
                        + " WHERE idempotency_key IS NOT NULL AND state <> 'done' AND state <> 'failed'");
    }

    private static String indexed(String index) {
        Map<String, Object> found = database.query("""
                        SELECT pg_get_indexdef(indexrelid) AS definition, pg_get_expr(indpred, indrelid) AS predicate
                        FROM pg_index WHERE indexrelid = ?::regclass
                        """, index).get(0);
        String definition = (String) found.get("definition");
        String columns = definition.replaceAll(".* USING btree (\\([^)]*\\)).*", "$1");
        String predicate = (String) found.get("predicate");
        return predicate == null ? columns : columns + " WHERE " + predicate.replaceAll("[()]|::text(\\[])?", "");
    }

    @Test
    void settingsAreSeeded() {
        assertThat(database.query("SELECT key, value FROM settings").stream()
                        .collect(Collectors.toMap(row -> row.get("key"), row -> row.get("value"))))
                .containsOnly(
                        Map.entry("retention_max_age_days", "30"),
                        Map.entry("retention_max_rows", "500000"),
                        Map.entry("identity_min_days", "7"),
                        Map.entry("claim_repoll_seconds", "5"),
                        Map.entry("todo_attempts_kept", "50"),
                        Map.entry("sse_retry_ms", "3000"),
                        Map.entry("audit_max_age_days", "365"));
    }

    @Test
    void theOperatorsAccountIsNumberOne() {
        assertThat(database.query("SELECT id, name, role FROM accounts"))
                .containsExactly(Map.of("id", 1L, "name", "operator", "role", "operator"));
    }

    @Test
    void todosAreVacuumedByCountAtFullSpeed() {
        assertThat(database.value(
                        "SELECT array_to_string(reloptions, ' ') FROM pg_class WHERE oid = 'todos'::regclass"))
                .isEqualTo(
                        "autovacuum_vacuum_scale_factor=0 autovacuum_vacuum_threshold=2000 autovacuum_vacuum_cost_delay=0");
    }

    @Test
    void idsOfEventsComeInBlocksAndMayBeGivenBeforehand() {
        assertThat(database.value("SELECT seqincrement FROM pg_sequence WHERE seqrelid = 'event_ids'::regclass"))
                .isEqualTo(1024L);
        assertThat(database.value(
                        "SELECT attidentity FROM pg_attribute WHERE attrelid = 'events'::regclass AND attname = 'id'"))
                .isEqualTo("");
    }

    @Test
    void noForeignKeyTiesTheBigTables() {
        assertThat(database.query(
                        """
                        SELECT conname FROM pg_constraint
                        WHERE contype = 'f' AND (conrelid = ANY (t) OR confrelid = ANY (t))
                        """.replace("ANY (t)", "ANY ('{events, event_keys, todos, todo_attempts}'::regclass[])")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            UPDATE todos SET state = 'waiting'
            UPDATE todos SET state = 'claimed'
            UPDATE todos SET lease_expires_at = now()
            UPDATE todos SET state = 'done'
            UPDATE todos SET completed_at = now()
            """)
    void aTodoCannotContradictItself(String update) {
        assertRefused(
                "INSERT INTO todos (id, account_id, queue, source) VALUES (gen_random_uuid(), 1, 'q', 'api')", update);
    }

    @Test
    void onlyASignatureMakesAnEventVerified() {
        String event = "INSERT INTO events (account_id, source, family, trust_mode, verified, payload, payload_size)"
                + " VALUES (1, 's', 'webhook', '%s', %s, '', 0)";

        assertRefused("SELECT 1", event.formatted("token", true));
        assertRefused("SELECT 1", event.formatted("signed", false));
        database.execute(event.formatted("signed", true));
    }

    private static void assertRefused(String first, String statement) {
        assertThat(catchThrowable(() -> database.execute("BEGIN; " + first + "; " + statement + "; COMMIT")))
                .hasMessageContaining("violates check constraint");
    }

    @Test
    void nodesThatStartAtOnceMigrateOnce() throws Exception {
        // a hub refuses the tests' shared server, which does not sync
        try (StoppablePostgres empty = StoppablePostgres.started()) {
            ExecutorService nodes = Executors.newFixedThreadPool(4);
            HubConfig config = HubConfig.builder()
                    .set(HubConfig.Key.DATABASE_URL, empty.jdbcUrl() + "?user=" + empty.user())
                    .set(HubConfig.Key.DATABASE_WAIT, 0)
                    .build();

            List<CompletableFuture<Database>> opened = Stream.generate(
                            () -> CompletableFuture.supplyAsync(() -> Database.open(config), nodes))
                    .limit(4)
                    .toList();
            for (CompletableFuture<Database> node : opened) {
                node.get(60, SECONDS).close();
            }
            nodes.shutdown();

            assertThat(empty.query("SELECT version, success FROM flyway_schema_history WHERE version IS NOT NULL"))
                    .containsExactly(
                            Map.of("version", "001", "success", true),
                            Map.of("version", "002", "success", true),
                            Map.of("version", "003", "success", true),
                            Map.of("version", "004", "success", true));
            assertThat(SchemaDump.of(empty)).isEqualTo(SchemaDump.of(database));
        }
    }

    @Test
    void docsShowTheSchemaAsItIs() throws IOException {
        String dump = """
                -- The schema that src/main/resources/db/migration makes, so that a review shows what a migration changes.
                -- Written by SchemaTest: mvn test -Dtest=SchemaTest -Dschema.write=true

                """ + SchemaDump.of(database);

        if (Boolean.getBoolean("schema.write")) {
            Files.writeString(WRITTEN_DOWN, dump);
        }

        assertThat(WRITTEN_DOWN).content().isEqualTo(dump);
    }
}
