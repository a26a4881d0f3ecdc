package hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
    @TempDir
    Path dataDir;

    private final Map<String, String> environment = new HashMap<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "--version",
                "serve --help",
                "demo --help",
                "check --help",
                "send --help",
                "send github --help",
                "work --help",
                "operator --help",
                "account --help",
                "account create --help",
                "agent --help",
                "endpoint --help",
                "endpoint vend --help",
                "queue --help",
                "friend --help",
                "operator rotate --help",
                "redeliver --help"
            })
    void everyCommandExplainsItself(String arguments) {
        int status = run(arguments.split(" "));

        assertThat(status).isZero();
        assertThat(out.toString()).startsWith(arguments.equals("--version") ? "switchboard " : "Usage: switchboard");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theHelpNamesTheCommandsAndNotTheBuildsOwn() {
        run("--help");

        assertThat(out.toString())
                .contains("serve", "demo", "check", "send", "work", "redeliver", "operator")
                .doesNotContain("train");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "frobnicate",
                "serve --port 80",
                "send",
                "send github",
                "send gitlab push.json",
                "operator",
                "account",
                "agent",
                "endpoint",
                "endpoint vend scout",
                "queue",
                "friend",
                "work --once=maybe",
                "work --url ::"
            })
    void whatIsNotUnderstoodEndsWithStatusTwoAndPointsToHelp(String arguments) {
        int status = run(arguments.split(" "));

        assertThat(status).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).startsWith("switchboard: ").contains("--help'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "serve",
                "demo",
                "check",
                "work --once",
                "send github push.json",
                "operator rotate",
                "redeliver deploys"
            })
    void wrongSettingsEndEveryCommandWithStatusOneAndOneMessage(String arguments) {
        environment.put("SWITCHBOARD_HTTP_PORT", "eighty");

        int status = arguments.isEmpty() ? run() : run(arguments.split(" "));

        assertThat(status).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly("switchboard: configuration: SWITCHBOARD_HTTP_PORT must be a whole number from 0 to"
                        + " 65535 (it is 'eighty')");
    }

    @Test
    void aStackTraceIsShownToWhomeverAsksForIt() {
        environment.put("SWITCHBOARD_HTTP_PORT", "eighty");
        environment.put("SWITCHBOARD_LOG_LEVEL", "debug");

        run("check");

        assertThat(err.toString()).contains("switchboard: configuration", "\tat hub.");
    }

    @Test
    void checkPrintsWhatWouldRun() {
        assertThat(run("check")).isZero();

        assertThat(out.toString().lines()).containsExactly("adapter github on", "adapter homelab off: no token");
    }

    @Test
    void rotateSaysWhereTheNewCredentialStands() {
        assertThat(run("operator", "rotate")).isZero();

        assertThat(out.toString()).contains("written to " + dataDir.resolve("operator.token"));
    }

    @Test
    void rotateIsRefusedWhereTheEnvironmentSetsTheCredential() {
        environment.put("SWITCHBOARD_OPERATOR_TOKEN", "operator-token-of-exactly-32-chr");

        assertThat(run("operator", "rotate")).isEqualTo(1);

        assertThat(err.toString()).contains("SWITCHBOARD_OPERATOR_TOKEN").doesNotContain("exactly-32");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void workWithoutACredentialSaysWhereOneWouldBe() {
        assertThat(run("work", "--once")).isEqualTo(1);

        assertThat(err.toString()).contains("SWITCHBOARD_OPERATOR_TOKEN", "operator.token");
    }

    @Test
    void workWithoutAHubSaysHowToStartOne() throws Exception {
        Files.writeString(dataDir.resolve("operator.token"), "swb_some-credential\n");
        int port = OwnServer.freePort();
        environment.put("SWITCHBOARD_HTTP_PORT", Integer.toString(port));

        assertThat(run("work", "--once")).isEqualTo(1);

        assertThat(err.toString())
                .contains("no hub answers at http://127.0.0.1:" + port, "./switchboard")
                .doesNotContain("some-credential");
    }

    @Test
    void sendWithoutASecretSaysWhichVariableIsMissing() {
        assertThat(run("send", "github", "push.json")).isEqualTo(1);

        assertThat(err.toString()).contains("GITHUB_WEBHOOK_SECRET", "--secret-env");
    }

    @Test
    void sendOfAFileThatIsNotThereNamesTheSamples() {
        assertThat(run("send", "github", "pusch.json")).isEqualTo(1);

        assertThat(err.toString()).contains("pusch.json: no such file", "pull_request.opened.json");
    }

    private int run(String... arguments) {
        environment.put("SWITCHBOARD_DATA_DIR", dataDir.toString());
        return Switchboard.commandLine(environment, new Told(), new PrintWriter(out), new PrintWriter(err))
                .execute(arguments);
    }

    /** The command line's counterpart, with answers that are easy to recognise. */
    private static final class Told implements Backstage {
        @Override
        public List<String> check(HubConfig config) {
            return List.of("adapter github on", "adapter homelab off: no token");
        }

        @Override
        public String rotateOperatorCredential(HubConfig config) {
            return "operator credential written to " + config.operatorTokenFile();
        }

        @Override
        public String redeliver(HubConfig config, String adapter) {
            return "3 entries put back to " + adapter;
        }
    }
}
