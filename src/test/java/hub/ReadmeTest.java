package hub;

import static org.assertj.core.api.Assertions.assertThat;

import fixtures.DurableDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The README's commands do what it says. Blocks marked {@code ```bash run} are run in their order in one shell, in a
 * folder where a demo hub runs; only the address is another. A call that is refused fails, though people's curl would go on.
 */
class ReadmeTest {
    private static final Path README = Path.of("README.md");
    private static final Pattern RUN = Pattern.compile("^```bash run\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    @TempDir
    static Path folder;

    private static DurableDatabase database;
    private static Hub hub;

    @BeforeAll
    static void aDemoHub() {
        database = DurableDatabase.create();
        hub = Hub.start(DemoCommand.prepared(new HashMap<>(Map.of(
                "SWITCHBOARD_DATA_DIR", folder.resolve("data").toString(),
                "SWITCHBOARD_DATABASE_URL", database.url(),
                "SWITCHBOARD_ROUTES", folder.resolve("routes").toString(),
                "SWITCHBOARD_HTTP_PORT", "0"))));
    }

    @AfterAll
    static void stopIt() {
        hub.close();
        database.close();
    }

    @Test
    void everyCommandThatIsMarkedRunsAndDoesWhatItSays() throws Exception {
        List<String> blocks = RUN.matcher(Files.readString(README))
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(blocks).hasSizeGreaterThan(3);
        Files.writeString(folder.resolve(".curlrc"), "fail-with-body\n");
        Path script = Files.writeString(
                folder.resolve("readme.sh"),
                "set -euo pipefail\n"
                        + String.join("\necho\n", blocks)
                                .replace("http://127.0.0.1:8080", hub.uri().toString()));

        Process shell = shell(script);

        assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(folder.resolve("said"));
        assertThat(shell.exitValue()).as(said).isZero();
        assertThat(said.lines().filter(line -> !line.isBlank()))
                .satisfiesExactly(
                        receipt -> assertThat(receipt).contains("\"duplicate\":false", "\"queue\":\"demo-reviews\""),
                        claimed ->
                                assertThat(claimed).contains("\"title\":\"Review me/mine#7: Hello\"", "\"attempt\":1"),
                        completed ->
                                assertThat(completed).contains("\"state\":\"done\"", "{\"verdict\": \"approved\"}"),
                        looked -> assertThat(looked)
                                .contains("\"outcome\":\"completed\"", "\"external_id\":\"my-first-delivery\""));
    }

    private static Process shell(Path script) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", script.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        builder.environment().put("CURL_HOME", folder.toString());
        return builder.start();
    }
}
