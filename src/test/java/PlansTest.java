import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import fixtures.SqlFile;
import fixtures.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a statement costs does not grow with what lies around: with a hundred thousand rows in the way it finds its own by
 * index and touches few pages, whether the server plans for the values (custom) or once for all (generic).
 */
@SuppressWarnings("DefaultPackage") // statements belong to no room
class PlansTest {
    /** Of each kind that is in the way. */
    private static final int ROWS = 25_000;

    /** Two or three rows into every index of their table, and what a fresh session reads of the catalogs. */
    private static final int INSERTS = 400;

    private static final Set<String> BIG = Set.of("events", "event_keys", "todos", "todo_attempts");

    @AutoClose
    private static final TestDatabase database = TestDatabase.create();

    @BeforeAll
    static void rowsInTheWay() {
        database.execute("INSERT INTO accounts (id, name, role) VALUES (2, 'other', 'member')");
        database.execute("""
                INSERT INTO events (account_id, id, source, family, trust_mode, verified, external_id, payload, payload_size, received_at)
                SELECT CASE WHEN g <= %1$d THEN 1 ELSE 2 END, g, 'github', 'webhook', 'signed', true, 'e' || g, '{}', 2,
                  now() - g * interval '1 second'
                FROM generate_series(1, 4 * %1$d) g
                """.formatted(ROWS));
        // asked for: older than everything of the busy source, and of the account
        database.execute("""
                INSERT INTO events (account_id, id, source, family, trust_mode, verified, external_id, payload, payload_size, received_at)
                SELECT 1, 1000000 + g, 'generic:quiet', 'webhook', 'token', false, 'q' || g, '{}', 2, now() - interval '40 days'
                FROM generate_series(1, 5) g
                """);
        database.execute("""
                INSERT INTO event_keys (account_id, source, external_id, event_id, first_seen)
                SELECT account_id, source, external_id, id, received_at FROM events
                """);
        // assigned elsewhere and not due, both before everybody else by priority; terminal; leased
        database.execute("""
                INSERT INTO todos (id, account_id, queue, source, state, due, priority, ready_at, assignee, lease_expires_at, attempt,
                  owner, completed_at, event_id, idempotency_key)
                SELECT gen_random_uuid(), 1, 'reviews', 'github', k.state, k.due, 9, now() + k.ready_in, k.assignee,
                  CASE k.state WHEN 'claimed' THEN now() + interval '1 hour' END, 1,
                  CASE k.state WHEN 'claimed' THEN 'operator' END,
                  CASE k.state WHEN 'done' THEN now() - g * interval '1 second' END,
                  CASE k.state WHEN 'done' THEN g END,
                  k.kind || g
                FROM generate_series(1, %d) g,
                  (VALUES ('elsewhere', 'pending', true,  'somebody', interval '0'),
                          ('later',     'pending', false, NULL,       interval '1 day'),
                          ('terminal',  'done',    true,  NULL,       interval '0'),
                          ('leased',    'claimed', true,  NULL,       interval '0')) AS k(kind, state, due, assignee, ready_in)
                """.formatted(ROWS));
        // asked for: finished long ago, three with an event and three without
        database.execute("""
                INSERT INTO todos (id, account_id, queue, source, state, completed_at, event_id)
                SELECT gen_random_uuid(), 1, 'reviews', 'github', 'done', now() - interval '40 days',
                  CASE WHEN g <= 3 THEN 1000000 + g END
                FROM generate_series(1, 6) g
                """);
        database.execute("INSERT INTO queues (account_id, name) VALUES (1, 'reviews')");
        database.execute(
                "INSERT INTO todo_attempts (todo_id, attempt, outcome) SELECT id, 1, 'completed' FROM todos WHERE state = 'done'");
        BIG.forEach(table -> database.execute("VACUUM ANALYZE " + table));
    }

    /** A statement with values, what it must use, and how many pages of 8 KB it may touch at most. */
    private static final class Asked {
        private final SqlFile file;
        private final String situation;
        private final Map<String, String> values = new HashMap<>();
        private Set<String> indexes = Set.of();
        private int pages;

        private Asked(String name, String situation) {
            this.file = SqlFile.named(name);
            this.situation = situation;
        }

        static Asked of(String name) {
            return new Asked(name, "");
        }

        static Asked of(String name, String situation) {
            return new Asked(name, ", " + situation);
        }

        /** SQL literals; what is not given is null. */
        Asked with(String parameter, String literal) {
            values.put(parameter, literal);
            return this;
        }

        Asked uses(String... named) {
            indexes = Set.of(named);
            return this;
        }

        Asked touches(int most) {
            pages = most;
            return this;
        }

        String execute() {
            return "EXECUTE asked"
                    + file.parameters().stream()
                            .map(parameter -> values.getOrDefault(parameter, "NULL"))
                            .collect(Collectors.joining(", ", "(", ")"));
        }

        @Override
        public String toString() {
            return file.name() + situation;
        }
    }

    static Stream<Asked> statements() {
        return Stream.of(intake(), events(), prune()).flatMap(List::stream);
    }

    private static List<Asked> intake() {
        return List.of(
                Asked.of("intake/insert_events")
                        .with("lock_timeout", "'400'")
                        .with("ids", "'{2000001, 2000002, 2000003}'")
                        .with("account_ids", "'{1, 1, 1}'")
                        .with("sources", "'{github, github, github}'")
                        .with("families", "'{webhook, webhook, webhook}'")
                        .with("event_types", "'{push, push, push}'")
                        .with("external_ids", "'{new1, e7, new2}'")
                        .with("trust_modes", "'{signed, signed, signed}'")
                        .with("verifieds", "'{true, true, true}'")
                        .with("signature_hashes", "'{NULL, \\\\x01, NULL}'")
                        .with("verify_details", "'{hmac, hmac, hmac}'")
                        .with("content_types", "'{text/plain, text/plain, text/plain}'")
                        .with("headers", "ARRAY['{}', '{}', '{}']")
                        .with("payloads", "ARRAY['a', 'b', 'c']::bytea[]")
                        .with("source_ips", "'{127.0.0.1, 127.0.0.1, 127.0.0.1}'")
                        .with("dispositions", "'{routed, routed, routed}'")
                        .with("rule_traces", "'{NULL, NULL, NULL}'")
                        .with("replayed_froms", "'{NULL, NULL, NULL}'")
                        .touches(INSERTS),
                Asked.of("intake/insert_todos")
                        .with("todo_ids", "ARRAY[gen_random_uuid(), gen_random_uuid()]")
                        .with("todo_account_ids", "'{1, 1}'")
                        .with("todo_queues", "'{reviews, reviews}'")
                        .with("todo_sources", "'{github, github}'")
                        .with("todo_kinds", "'{review, review}'")
                        .with("todo_titles", "'{t, t}'")
                        .with("todo_keys", "'{new, leased7}'")
                        .with("todo_assignees", "'{NULL, NULL}'")
                        .with("todo_priorities", "'{0, 0}'")
                        .with("todo_max_attempts", "'{NULL, NULL}'")
                        .with("todo_event_ids", "'{1, 2}'")
                        .touches(INSERTS),
                Asked.of("intake/count_duplicates")
                        .with("duplicate_ids", "'{1, 2}'")
                        .with("duplicate_account_ids", "'{1, 1}'")
                        .with("duplicate_sources", "'{github, github}'")
                        .with("duplicate_external_ids", "'{e7, e8}'")
                        .with("duplicate_signature_hashes", "'{NULL, NULL}'")
                        .uses("event_keys_pkey", "idx_todos_event")
                        .touches(80),
                Asked.of("intake/find_swallowers")
                        .with("swallowed_ids", "ARRAY[gen_random_uuid()]")
                        .with("swallowed_account_ids", "'{1}'")
                        .with("swallowed_queues", "'{reviews}'")
                        .with("swallowed_keys", "'{leased7}'")
                        .uses("idx_todos_dedupe")
                        .touches(10),
                Asked.of("intake/commit_outcome")
                        .with("account_id", "1")
                        .with("event_id", "7")
                        .with("transaction_id", "1")
                        .with("server_started", "1")
                        .uses("events_pkey")
                        .touches(10));
    }

    private static List<Asked> events() {
        return List.of(
                Asked.of("queues/list")
                        .with("account_id", "1")
                        .with("limit", "51")
                        .uses("idx_todos_listed_queue", "idx_todos_pending_assigned")
                        // counts up to 10,000 entries, and looks their rows up where no vacuum has been
                        .touches(12_000),
                Asked.of("events/list", "first page")
                        .with("account_id", "1")
                        .with("limit", "51")
                        .uses("idx_events_received", "event_keys_pkey", "idx_todos_event")
                        .touches(800),
                Asked.of("events/list", "late page")
                        .with("account_id", "1")
                        .with("before_at", "now() - interval '6 hours'")
                        .with("before_id", "20000")
                        .with("limit", "51")
                        .uses("idx_events_received", "event_keys_pkey", "idx_todos_event")
                        .touches(800),
                Asked.of("events/list_source", "quiet source")
                        .with("account_id", "1")
                        .with("source", "'generic:quiet'")
                        .with("limit", "51")
                        .uses("idx_events_source_received", "event_keys_pkey", "idx_todos_event")
                        .touches(100),
                Asked.of("events/find")
                        .with("account_id", "1")
                        .with("id", "7")
                        .uses("events_pkey", "event_keys_pkey", "idx_todos_event")
                        .touches(20),
                Asked.of("events/payload")
                        .with("account_id", "1")
                        .with("id", "7")
                        .uses("events_pkey")
                        .touches(10));
    }

    private static List<Asked> prune() {
        return List.of(
                Asked.of("prune/due")
                        .with("age_days", "30")
                        .with("account_ids", "'{1}'")
                        .with("event_ats", "'{NULL}'")
                        .with("event_ids", "'{NULL}'")
                        .with("todo_ats", "'{NULL}'")
                        .with("todo_ids", "'{NULL}'")
                        .uses("idx_events_received", "idx_todos_terminal")
                        .touches(30),
                // both once a minute: count entries up to the cap, and visit rows that no vacuum has seen yet
                Asked.of("prune/events_over_cap", "nobody is")
                        .with("cap", "500000")
                        .uses("idx_events_received")
                        .touches(5_000),
                Asked.of("prune/todos_over_cap", "nobody is")
                        .with("cap", "500000")
                        .uses("idx_todos_terminal")
                        .touches(5_000),
                Asked.of("prune/lock_events")
                        .with("account_id", "1")
                        .with("before", "now() - interval '30 days'")
                        .with("limit", "500")
                        .uses("idx_events_received")
                        .touches(60),
                Asked.of("prune/lock_events_of_todos")
                        .with("account_id", "1")
                        .with("before", "now() - interval '30 days'")
                        .with("limit", "500")
                        .uses("idx_todos_terminal", "events_pkey")
                        .touches(60),
                Asked.of("prune/delete_events")
                        .with("account_id", "1")
                        .with("ids", "'{1000001, 1000002}'")
                        .uses("idx_todos_event", "events_pkey", "todo_attempts_pkey")
                        .touches(100),
                Asked.of("prune/delete_todos")
                        .with("account_id", "1")
                        .with("before", "now() - interval '30 days'")
                        .with("limit", "500")
                        .uses("idx_todos_terminal", "todos_pkey", "todo_attempts_pkey")
                        .touches(100),
                Asked.of("prune/delete_keys")
                        .with("days", "7")
                        .with("limit", "500")
                        .uses("idx_event_keys_first_seen", "event_keys_pkey", "events_pkey")
                        .touches(100));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void plannedForItsValuesItFindsItsOwnRows(Asked asked) throws SQLException {
        assertFindsItsOwn(asked, "force_custom_plan");
    }

    @ParameterizedTest
    @MethodSource("statements")
    void plannedOnceForAllValuesItFindsItsOwnRows(Asked asked) throws SQLException {
        assertFindsItsOwn(asked, "force_generic_plan");
    }

    @Test
    void everyStatementOnABigTableIsLookedAt() {
        Set<String> looked =
                statements().map(asked -> asked.file.name()).collect(Collectors.toCollection(TreeSet::new));

        assertThat(SqlFile.all())
                // those of the agents' side: claims.ClaimPlansTest
                .filteredOn(file ->
                        !file.name().startsWith("claims/") && !file.name().startsWith("todos/"))
                .filteredOn(
                        file -> BIG.stream().anyMatch(table -> file.statement().matches("(?s).*\\b" + table + "\\b.*")))
                .extracting(SqlFile::name)
                .containsExactlyElementsOf(looked);
    }

    private static void assertFindsItsOwn(Asked asked, String mode) throws SQLException {
        JsonNode plan = explained(asked, mode);
        List<JsonNode> steps = new ArrayList<>();
        collect(plan, steps);

        assertThat(steps)
                .as("%s", asked)
                .noneMatch(step -> step.path("Node Type").asText().equals("Seq Scan")
                        && BIG.contains(step.path("Relation Name").asText()));
        assertThat(steps.stream().map(step -> step.path("Index Name").asText()))
                .as("%s", asked)
                .containsAll(asked.indexes);
        assertThat(plan.path("Shared Hit Blocks").asInt()
                        + plan.path("Shared Read Blocks").asInt())
                .as("pages touched by %s", asked)
                .isLessThanOrEqualTo(asked.pages);
    }

    private static void collect(JsonNode step, List<JsonNode> steps) {
        steps.add(step);
        step.path("Plans").forEach(below -> collect(below, steps));
    }

    /** Runs it, and takes back what it did. */
    private static JsonNode explained(Asked asked, String mode) throws SQLException {
        try (Connection connection = database.unpooled().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET plan_cache_mode = " + mode);
            statement.execute("PREPARE asked AS " + asked.file.numbered());
            try (ResultSet explained =
                    statement.executeQuery("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) " + asked.execute())) {
                explained.next();
                return new JsonMapper().readTree(explained.getString(1)).get(0).get("Plan");
            } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
                throw new IllegalStateException(e);
            } finally {
                connection.rollback();
            }
        }
    }
}
