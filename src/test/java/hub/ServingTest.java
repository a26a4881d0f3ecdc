package hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.json.JsonMapper;
import fixtures.HubProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code serve} as a real process: how it ends, and what it says then. */
class ServingTest {
    /** For machines that do other things as well. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** One for all: only the first hub has to make its database. */
    @TempDir
    static Path folder;

    private Process hub;

    @AfterEach
    void leaveNothingBehind() throws Exception {
        if (hub != null && hub.isAlive()) {
            hub.destroyForcibly().waitFor();
        }
        if (Files.exists(folder.resolve("data/postgres/postmaster.pid"))) {
            // the next start adopts what a killed hub left, and stops it
            Database.open(HubConfig.builder()
                            .set(HubConfig.Key.DATA_DIR, folder.resolve("data"))
                            .set(HubConfig.Key.DATABASE_PROGRAMS, OwnServer.PROGRAMS)
                            .build())
                    .close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void aSignalStopsTheHubAndItsDatabaseWithStatusZero(String signal) throws Exception {
        serve();
        await().atMost(PATIENCE).until(() -> out().contains("database ready"));

        signal(signal);

        assertThat(hub.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(hub.exitValue()).isZero();
        assertThat(err()).isEmpty();
        assertThat(folder.resolve("data/postgres/postmaster.pid")).doesNotExist();
    }

    /** Early, when there is nothing to read again yet, and when the hub runs. */
    @Test
    void aHangUpReadsSecretsAgainAndEndsNothing() throws Exception {
        serve();
        await().atMost(PATIENCE).until(() -> out().contains("HTTP listens"));
        signal("HUP");
        await().atMost(PATIENCE).until(() -> out().contains("ready uri="));

        await().atMost(PATIENCE).until(() -> {
            signal("HUP");
            return out().contains("secrets read again");
        });

        assertThat(hub.isAlive()).isTrue();
        signal("TERM");
        assertThat(hub.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(hub.exitValue()).isZero();
    }

    @Test
    void aSignalWhileTheDatabaseIsWaitedForEndsTheProcessWithStatusZero() throws Exception {
        serve("SWITCHBOARD_DATABASE_URL=postgres://me:secret@127.0.0.1:" + OwnServer.freePort() + "/hub");
        await().atMost(PATIENCE).until(() -> out().contains("database does not answer"));

        signal("TERM");

        assertThat(hub.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(hub.exitValue()).isZero();
        assertThat(err()).isEmpty();
    }

    @Test
    void aStartThatFailsEndsWithStatusOneAndOneMessage() throws Exception {
        serve(
                "SWITCHBOARD_DATABASE_URL=postgres://me:secret@127.0.0.1:" + OwnServer.freePort() + "/hub",
                "SWITCHBOARD_DATABASE_WAIT=0");

        assertThat(hub.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(hub.exitValue()).isEqualTo(1);
        assertThat(err().lines()).hasSize(1);
        assertThat(err())
                .startsWith("switchboard: database postgres://me@127.0.0.1:")
                .doesNotContain("secret");
    }

    @Test
    void aLogCollectorGetsNothingButJson() throws Exception {
        serve("SWITCHBOARD_LOG_FORMAT=json");
        await().atMost(PATIENCE).until(() -> out().contains("database ready"));

        signal("TERM");

        assertThat(hub.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        JsonMapper json = JsonMapper.builder().build();
        assertThat(out().lines().toList()).isNotEmpty().allSatisfy(line -> {
            assertThat(json.readTree(line).path("level").asText()).isNotEmpty();
            assertThat(json.readTree(line).path("formattedMessage").asText()).isNotEmpty();
        });
    }

    @Test
    void theLogLevelHoldsForTheHubsOwnPackages() throws Exception {
        serve("SWITCHBOARD_LOG_LEVEL=warn");
        await().atMost(PATIENCE).until(() -> !out().isBlank());

        signal("TERM");

        assertThat(hub.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(out()).doesNotContain(" INFO ");
    }

    @Test
    void aSecondHubOverTheSameFolderEndsWithStatusOneAndNamesTheFirst() throws Exception {
        serve();
        await().atMost(PATIENCE).until(() -> out().contains("database ready"));
        Process first = hub;

        serve();
        try {
            assertThat(hub.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(hub.exitValue()).isEqualTo(1);
            assertThat(err()).contains("pid " + first.pid());
            assertThat(first.isAlive()).isTrue();
        } finally {
            first.destroyForcibly().waitFor();
        }
    }

    private void serve(String... settings) throws IOException {
        Path adapters = Files.writeString(folder.resolve("adapters.yaml"), "adapters: []\n");
        List<String> command = new ArrayList<>(List.of(
                "env",
                "SWITCHBOARD_DATA_DIR=" + folder.resolve("data"),
                "SWITCHBOARD_DATABASE_PROGRAMS=" + OwnServer.PROGRAMS,
                "SWITCHBOARD_ADAPTERS=" + adapters,
                "SWITCHBOARD_ROUTES=" + folder.resolve("routes"),
                "SWITCHBOARD_HTTP_PORT=0"));
        command.addAll(List.of(settings));
        // env becomes java: the process we signal is the hub
        command.addAll(HubProgram.command("serve"));
        hub = new ProcessBuilder(command)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
    }

    private void signal(String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(hub.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private String out() throws IOException {
        return Files.readString(folder.resolve("out"), StandardCharsets.UTF_8);
    }

    private String err() throws IOException {
        return Files.readString(folder.resolve("err"), StandardCharsets.UTF_8);
    }
}
