package claims;

import static org.assertj.core.api.Assertions.assertThat;

import fixtures.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What each statement reads with 100,000 rows in its way of every kind: kept for others, not due, finished, leased, of
 * another account. With the plan that PostgreSQL makes for the values at hand, and with the one it makes for any.
 */
class ClaimPlansTest {
    private static final int IN_THE_WAY = 100_000;
    private static final Pattern PARAMETER = Pattern.compile(":#(\\w+)");
    private static final Pattern BUFFERS = Pattern.compile("Buffers: shared (?:hit=(\\d+))? ?(?:read=(\\d+))?");

    /** Pages that a statement may touch: a few dozen for each row it means (indexes among them), of more than 10,000 that lie in its way. */
    private static final int FEW_PAGES = 500;

    private static final Map<String, String> TYPES = new LinkedHashMap<>();
    private static final Map<String, String> VALUES = new LinkedHashMap<>();

    @AutoClose
    private static final TestDatabase database = TestDatabase.create();

    private static void parameter(String name, String type, String value) {
        TYPES.put(name, type);
        VALUES.put(name, value);
    }

    @BeforeAll
    static void fill() {
        fill("'kept', 'q', 'pending', true, 0, now(), 'somebody else', NULL, NULL");
        fill("'later', 'q', 'pending', false, 9, now() + interval '1 day', NULL, NULL, NULL");
        // spread, so that a list of one queue has an index to gain from
        fill("'finished', 'archive ' || i % 1000, 'done', true, 0, now(), NULL, NULL, now()");
        fill("'leased', 'q', 'claimed', true, 0, now(), NULL, now() + interval '1 hour', NULL");
        fill("'waiting', 'q', 'pending', true, 0, now(), NULL, NULL, NULL");
        database.execute("UPDATE todos SET lease_expires_at = now() - interval '1 s' WHERE id IN"
                + " (SELECT id FROM todos WHERE source = 'leased' LIMIT 10)");
        database.execute("UPDATE todos SET ready_at = now() - interval '1 s' WHERE id IN"
                + " (SELECT id FROM todos WHERE source = 'later' LIMIT 10)");
        // what the callers bear
        database.execute("INSERT INTO credentials (id, account_id, hash, prefix) VALUES (1, 1, 'h', 'swb_')");
        database.execute("INSERT INTO todo_attempts (todo_id, attempt, outcome)"
                + " SELECT id, 1, 'completed' FROM todos WHERE source = 'finished'");
        database.execute(
                "INSERT INTO events (account_id, id, source, family, trust_mode, verified, payload, payload_size)"
                        + " SELECT 1, i, 's', 'webhook', 'signed', true, 'x', 1 FROM generate_series(1, 100000) i");
        // dead versions of what the fixture changed would be pages of its own making
        database.execute("VACUUM ANALYZE");

        String leased = ids("source = 'leased' AND lease_expires_at > now()", 3);
        parameter("account", "bigint", "1");
        parameter("queue", "text", "'q'");
        parameter("owners", "text[]", "ARRAY['o','o','o']");
        parameter("workers", "text[]", "ARRAY['ada','ada',NULL]");
        parameter("leases", "int[]", "ARRAY[60,60,NULL]");
        parameter("credential", "bigint", "1");
        parameter("credentials", "bigint[]", "ARRAY[1,1,1]");
        parameter("actor", "text", "'o'");
        parameter("source_ip", "text", "'127.0.0.1'");
        parameter("audit_id", "text", "'0199c0de-4a5b-7c6d-8e9f-0a1b2c3d4e5f'");
        parameter("ids", "text[]", leased);
        parameter("accounts", "bigint[]", "ARRAY[1,1,1]");
        parameter("attempts", "int[]", "ARRAY[1,1,1]");
        parameter("results", "text[]", "ARRAY['1','2','3']");
        parameter("errors", "text[]", "ARRAY['e','e','e']");
        parameter("waits", "int[]", "ARRAY[NULL,0,1]::int[]");
        parameter("deads", "boolean[]", "ARRAY[false,false,true]");
        parameter("limit", "int", "10");
        parameter("answers", "int[]", "ARRAY[0,0,1]");
        parameter("places", "int[]", "ARRAY[0,1,0]");
        parameter("events", "bigint[]", "ARRAY[5,70,50000]");
        parameter("sizes", "int[]", "ARRAY[0,0,0]");
        parameter("budgets", "int[]", "ARRAY[100,100,100]");
        parameter("queues", "text[]", "ARRAY['q','q','q']");
        parameter("titles", "text[]", "ARRAY['t','t','t']");
        parameter("kinds", "text[]", "ARRAY[NULL,NULL,NULL]::text[]");
        parameter("payloads", "text[]", "ARRAY[NULL,NULL,NULL]::text[]");
        parameter("keys", "text[]", "ARRAY['a','b','c']");
        parameter("assignees", "text[]", "ARRAY['ada','ada',NULL]");
        parameter("priorities", "int[]", "ARRAY[0,0,0]");
        parameter("ready_ats", "text[]", "ARRAY[NULL,NULL,NULL]::text[]");
        parameter("caps", "int[]", "ARRAY[NULL,NULL,NULL]::int[]");
        parameter("creators", "text[]", "ARRAY['o','o','o']");
        parameter("id", "text", "'" + database.value("SELECT id FROM todos WHERE source = 'finished' LIMIT 1") + "'");
        parameter("event", "bigint", "77");
        parameter(
                "before", "text", "'" + database.value("SELECT id FROM todos ORDER BY id OFFSET 250000 LIMIT 1") + "'");
        parameter("oldest", "text", "NULL");
        parameter("since", "text", "NULL");
        parameter("state", "text", "NULL");
        parameter("source", "text", "NULL");
        parameter("kind", "text", "NULL");
    }

    private static void fill(String columns) {
        database.execute("INSERT INTO todos (id, account_id, source, queue, state, due, priority, ready_at, assignee,"
                + " lease_expires_at, completed_at, owner, attempt)"
                + " SELECT gen_random_uuid(), 1, " + columns + ", 'o', 1"
                + " FROM generate_series(1, " + IN_THE_WAY + ") i");
    }

    private static String ids(String which, int count) {
        return database.query("SELECT id FROM todos WHERE " + which + " LIMIT " + count).stream()
                .map(row -> "'" + row.get("id") + "'")
                .collect(Collectors.joining(",", "ARRAY[", "]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "claims/claim",
                "claims/claim_one",
                "claims/heartbeat",
                "claims/complete",
                "claims/fail",
                "claims/release",
                "claims/reap",
                "claims/settle",
                "claims/promote",
                "claims/queues_with_work",
                "claims/payloads",
                "todos/create",
                "todos/live_twins",
                "todos/retry",
                "todos/lock_event",
                "todos/get",
                "todos/attempts",
                "todos/event_body",
                "todos/list",
                "todos/list_queues"
            })
    void touchesOnlyWhatItMeans(String statement) throws SQLException {
        for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
            List<String> plan = explain(statement, mode);

            assertThat(plan)
                    .as("%s, %s", statement, mode)
                    .noneMatch(line -> line.contains("Seq Scan on todos") || line.contains("Seq Scan on events"))
                    .noneMatch(line -> line.contains("Seq Scan on todo_attempts"));
            assertThat(pages(plan))
                    .as("pages of %s, %s:%n%s", statement, mode, String.join("\n", plan))
                    .isLessThan(FEW_PAGES);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "claims/claim idx_todos_pending",
                "claims/claim idx_todos_pending_assigned",
                "claims/reap idx_todos_leases",
                "claims/promote idx_todos_scheduled",
                "claims/queues_with_work idx_todos_pending",
                "todos/live_twins idx_todos_dedupe",
                "todos/list idx_todos_listed",
                "todos/list_queues idx_todos_listed_queue"
            })
    void readsTheIndexThatWasMadeForIt(String statementAndIndex) throws SQLException {
        String[] words = statementAndIndex.split(" ", 2);
        for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
            assertThat(explain(words[0], mode))
                    .as("%s, %s", statementAndIndex, mode)
                    .anyMatch(line -> line.matches(".*using " + words[1] + "( .*|$)"));
        }
    }

    /** Runs the statement in a transaction that is rolled back, and says how. */
    private static List<String> explain(String statement, String mode) throws SQLException {
        String sql = text(statement);
        List<String> names = new ArrayList<>();
        Matcher found = PARAMETER.matcher(sql);
        String numbered = found.replaceAll(match -> {
            if (!names.contains(match.group(1))) {
                names.add(match.group(1));
            }
            return "\\$" + (names.indexOf(match.group(1)) + 1);
        });
        String types = names.stream().map(TYPES::get).collect(Collectors.joining(", "));
        Map<String, String> given = new LinkedHashMap<>(VALUES);
        if (statement.equals("todos/list_queues")) {
            given.put("queues", "ARRAY['archive 7']");
        } else if (statement.startsWith("todos/")) {
            if (!statement.equals("todos/create") && !statement.equals("todos/live_twins")) {
                given.put("queues", "NULL");
            }
        }
        String values = names.stream().map(given::get).collect(Collectors.joining(", "));
        try (Connection connection = database.unpooled().getConnection();
                Statement run = connection.createStatement()) {
            connection.setAutoCommit(false);
            run.execute("SET LOCAL plan_cache_mode = " + mode);
            run.execute("PREPARE asked (" + types + ") AS " + numbered);
            List<String> plan = new ArrayList<>();
            try (var lines = run.executeQuery(
                    "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE asked(" + values + ")")) {
                while (lines.next()) {
                    plan.add(lines.getString(1));
                }
            }
            connection.rollback();
            return plan;
        }
    }

    private static long pages(List<String> plan) {
        // the first line counts for everything below it
        Matcher buffers = plan.stream()
                .map(BUFFERS::matcher)
                .filter(Matcher::find)
                .findFirst()
                .orElseThrow();
        return number(buffers.group(1)) + number(buffers.group(2));
    }

    private static long number(String text) {
        return text == null ? 0 : Long.parseLong(text);
    }

    private static String text(String statement) {
        try (InputStream in = ClaimPlansTest.class.getResourceAsStream("/sql/" + statement + ".sql")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.strip().startsWith("--"))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
