package routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import fixtures.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/agents.md} as a reader would use it: every call, and both agents. */
class AgentsDocTest {
    private static final Path PAGE = Path.of("docs/agents.md");
    private static final Pattern BLOCK = Pattern.compile("```(bash|python)( [\\w.]+)?\\n(.*?)```", Pattern.DOTALL);

    @AutoClose
    private static final TestDatabase database = TestDatabase.create();

    private static Api api;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws Exception {
        api = new Api(database);
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @BeforeEach
    void empty() {
        database.execute("TRUNCATE events, todos, todo_attempts, queues");
    }

    @Test
    void everyCallWorksInTheOrderOfThePage() throws Exception {
        assumeInstalled("curl", "jq");
        String calls = String.join("\n", blocks("bash", null)).replace("curl -sS", "curl -sS --fail-with-body");

        Process shell = started("bash", "-euc", calls);

        assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(shell.exitValue()).as(said()).isZero();
        assertThat(database.query("SELECT state, attempt, result FROM todos"))
                .singleElement()
                .satisfies(todo -> assertThat(todo)
                        .containsEntry("state", "done")
                        .containsEntry("attempt", 3)
                        .containsEntry("result", "{\"approved\": true}"));
    }

    @Test
    void agentInBashCompletesWhatWorksAndFailsWhatDoesNot() throws Exception {
        assumeInstalled("curl", "jq");
        Files.writeString(folder.resolve("agent.sh"), blocks("bash", "agent.sh").get(0));

        Process agent = started(
                "bash",
                "agent.sh",
                "reviews",
                "jq",
                "-re",
                ".payload.works | if . then \"done\" else error(\"broken\") end");
        try {
            String works = made("{\"works\": true}");
            String fails = made("{\"works\": false}");

            awaitState(works, "done");
            await().untilAsserted(() -> assertThat(
                            (String) database.value("SELECT last_error FROM todos WHERE id = ?::uuid", fails))
                    .contains("broken"));
            assertThat(database.value("SELECT result->>'output' FROM todos WHERE id = ?::uuid", works))
                    .isEqualTo("done");
        } finally {
            end(agent);
        }
    }

    @Test
    void agentInPythonCompletesItsTodos() throws Exception {
        assumeInstalled("python3");
        Files.writeString(
                folder.resolve("agent.py"), blocks("python", "agent.py").get(0));

        Process agent = started("python3", "agent.py", "reviews");
        try {
            awaitState(made("null"), "done");

            assertThat(database.value("SELECT result FROM todos")).isEqualTo("{\"seen\": \"t\"}");
        } finally {
            end(agent);
        }
    }

    private static String made(String payload) throws Exception {
        Api.Answer made =
                api.post("/v1/todos", "{\"queue\": \"reviews\", \"title\": \"t\", \"payload\": " + payload + "}");
        api.ring("reviews");
        return made.body().get("id").asText();
    }

    private void awaitState(String id, String state) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(database.value("SELECT state FROM todos WHERE id = ?::uuid", id))
                        .as(said())
                        .isEqualTo(state));
    }

    private Process started(String... command) throws IOException {
        ProcessBuilder process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        process.environment().put("HUB", api.address());
        process.environment().put("TOKEN", api.credential());
        process.environment().put("OWNER", api.credential());
        return process.start();
    }

    private static void end(Process agent) throws InterruptedException {
        agent.descendants().forEach(ProcessHandle::destroy);
        agent.destroy();
        assertThat(agent.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    private String said() {
        try {
            return Files.readString(folder.resolve("said"));
        } catch (IOException e) {
            return "";
        }
    }

    /** The blocks of a language that are the file of that name, or no file. */
    private static List<String> blocks(String language, String file) throws IOException {
        List<String> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(PAGE));
        while (block.find()) {
            String name = block.group(2) == null ? null : block.group(2).strip();
            if (block.group(1).equals(language) && java.util.Objects.equals(name, file)) {
                blocks.add(block.group(3));
            }
        }
        assertThat(blocks).isNotEmpty();
        return blocks;
    }

    private static void assumeInstalled(String... programs) throws Exception {
        for (String program : programs) {
            Process which = new ProcessBuilder("sh", "-c", "command -v " + program).start();
            assumeThat(which.waitFor()).as(program + " is installed").isZero();
        }
    }
}
