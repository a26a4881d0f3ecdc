import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import fixtures.SqlFile;
import fixtures.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every statement of the house: says what it does, is used, and fits the schema. */
@SuppressWarnings("DefaultPackage") // statements belong to no room
class SqlFilesTest {
    @AutoClose
    private static final TestDatabase database = TestDatabase.create();

    private static final Path ROUTES = Path.of("src", "main", "java", "routes");
    private static final Pattern USE = Pattern.compile("\\b(?:sql|todos)\\(\\s*\"([^\"]+)\"");

    private static final Set<String> TENANTS_TABLES = Set.of(
            "events",
            "event_keys",
            "todos",
            "todo_attempts",
            "queues",
            "adapters",
            "credentials",
            "live_credentials",
            "agents",
            "endpoints",
            "friend_edges",
            "audit_log",
            "webhooks");

    /** A row is met by its account, or written with it. */
    private static final Pattern SCOPE = Pattern.compile("\\baccount_id = |\\([\\w, ]*\\baccount_id\\b");

    /** What serves all accounts at once, and why it may. */
    private static final Map<String, String> ACROSS_ACCOUNTS = Map.of(
            "access/live_credentials", "asked for the credentials that the desk itself was shown",
            "webhooks/live", "every node takes the deliveries of all accounts",
            "prune/delete_ended_access", "a timer that serves all accounts",
            "audit/list_all", "the operator's look at everything",
            "access/find_credential", "the credential is what tells the account",
            "adapters/switches", "every node runs the adapters of all accounts",
            "claims/promote", "a timer that serves all accounts",
            "claims/reap", "a timer that serves all accounts",
            "todos/attempts", "asked for a todo that todos/get found in the caller's account");

    /** What people write in capitals; words that are also names of ours (key, value, first) are left out. */
    private static final Set<String> KEYWORDS = Set.of(
            ("select from where insert into values update set delete with as on conflict do nothing returning join left cross lateral"
                            + " using order by group limit offset for share skip union all any distinct exists not null is and or"
                            + " in case when then else end materialized recursive over partition filter asc desc array ordinality")
                    .split(" "));

    static List<SqlFile> files() {
        return SqlFile.all();
    }

    @ParameterizedTest
    @MethodSource("files")
    void headerSaysWhatItDoesWhatItTakesAndWhatItReturns(SqlFile file) {
        assertThat(file.header()).matches(Pattern.compile("-- [A-Z].*\\bReturns .*", Pattern.DOTALL));
        assertThat(file.parameters())
                .allSatisfy(parameter -> assertThat(file.header()).containsPattern(namedIn(parameter)));
        assertThat(file.announced())
                .allSatisfy(announced ->
                        assertThat(file.parameters()).anyMatch(parameter -> parameter.startsWith(announced)));
    }

    /** By its own name, or as one of a family: {@code :#todo_…}. */
    private static String namedIn(String parameter) {
        String families = Stream.iterate(parameter.indexOf('_'), at -> at > 0, at -> parameter.indexOf('_', at + 1))
                .map(at -> ":#" + parameter.substring(0, at + 1) + "…")
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        return ":#" + parameter + "\\b" + (families.isEmpty() ? "" : "|" + families);
    }

    @ParameterizedTest
    @MethodSource("files")
    void keywordsAreInCapitals(SqlFile file) {
        String code = file.statement().replaceAll("'[^']*'", "''");

        assertThat(code.split("[^\\w.:#]+")).doesNotContainAnyElementsOf(KEYWORDS);
    }

    @ParameterizedTest
    @MethodSource("files")
    void fitsTheSchema(SqlFile file) {
        assertThatCode(() -> database.execute("PREPARE fits AS " + file.numbered()))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("files")
    void whatTouchesTenantsRowsNamesTheirAccount(SqlFile file) {
        Set<String> words = new TreeSet<>(List.of(file.statement().split("\\W+")));
        boolean touches = TENANTS_TABLES.stream().anyMatch(words::contains);
        boolean names = SCOPE.matcher(file.statement()).find();

        assertThat(!touches || names).isEqualTo(!ACROSS_ACCOUNTS.containsKey(file.name()));
    }

    @Test
    void everyStatementIsUsedByARouteAndEveryRouteFindsItsStatement() throws IOException {
        Set<String> used = new TreeSet<>();
        try (Stream<Path> sources = Files.list(ROUTES)) {
            for (Path source : sources.toList()) {
                USE.matcher(Files.readString(source)).results().forEach(use -> used.add(use.group(1)));
            }
        }

        assertThat(files()).extracting(SqlFile::name).containsExactlyElementsOf(used);
    }
}
