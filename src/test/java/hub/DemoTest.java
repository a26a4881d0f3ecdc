package hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code demo}, {@code send} and {@code work} do to a hub that runs. */
class DemoTest {
    @TempDir
    static Path folder;

    private static Map<String, String> environment;
    private static HubConfig config;
    private static Hub hub;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void aHubWithTheDemosAdapters() {
        environment = Map.of(
                "SWITCHBOARD_DATA_DIR", folder.resolve("data").toString(),
                "SWITCHBOARD_DATABASE_PROGRAMS", OwnServer.PROGRAMS.toString(),
                "SWITCHBOARD_ROUTES", folder.resolve("routes").toString(),
                "SWITCHBOARD_HTTP_PORT", "0");
        config = DemoCommand.prepared(environment);
        hub = Hub.start(config);
    }

    @AfterAll
    static void stopIt() {
        hub.close();
    }

    @Test
    void theMainJobIsSeenStepByStepAndAgainTheNextTime() {
        for (int time = 0; time < 2; time++) {
            List<String> told = new ArrayList<>();

            new Demo(DemoCommand.client(hub, config), config.environment(), told::add).run();

            assertThat(told).filteredOn(line -> line.contains("hub    202")).hasSize(3);
            assertThat(told).filteredOn(line -> line.contains("agent  woken")).hasSize(3);
            assertThat(told)
                    .filteredOn(line -> line.contains("agent  completed"))
                    .hasSize(3);
            assertThat(told)
                    .filteredOn(line -> line.contains("hub    200"))
                    .singleElement()
                    .asString()
                    .contains("duplicate");
            assertThat(told)
                    .filteredOn(line -> line.contains("hub    401"))
                    .singleElement()
                    .asString()
                    .contains("signature_mismatch, nothing stored");
            assertThat(String.join("\n", told))
                    .contains("Review harbour/lighthouse#42: Turn the lamp twice a minute")
                    .doesNotContain(config.environment().get(DemoSecrets.GITHUB));
        }
    }

    @Test
    void whatIsSentFromOneTerminalIsWorkedFromAnother() {
        assertThat(run(Map.of(), "send", "github", "push.json", "--delivery", "sent-twice"))
                .isZero();
        assertThat(out.toString()).startsWith("202 event ").contains("on demo-deploys");
        assertThat(run(Map.of(), "send", "github", "push.json", "--delivery", "sent-twice"))
                .isZero();
        assertThat(out.toString()).startsWith("200 event ").contains("duplicate");

        assertThat(run(Map.of(), "work", "--once", "--queue", "demo-deploys", "--worker", "terminal-2"))
                .isZero();

        assertThat(out.toString().lines().toList())
                .hasSize(2)
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("claimed ").contains("Deploy harbour/lighthouse"),
                        line -> assertThat(line).startsWith("completed "));
    }

    @Test
    void aDeliverySignedWithAnotherSecretIsRefusedAndSendSaysWhy() {
        assertThat(run(Map.of("GITHUB_WEBHOOK_SECRET", "not the hub's"), "send", "github", "push.json"))
                .isEqualTo(1);

        assertThat(err.toString()).contains("401 signature_mismatch").doesNotContain("not the hub's");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void workWithACredentialThatTheHubDoesNotKnowEndsWithItsRefusal() {
        Map<String, String> stranger = Map.of("SWITCHBOARD_OPERATOR_TOKEN", "a-credential-that-nobody-ever-minted");

        assertThat(run(stranger, "work", "--once")).isEqualTo(1);

        assertThat(err.toString()).contains("401 unauthorized").doesNotContain("nobody-ever-minted");
    }

    private int run(Map<String, String> more, String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(more);
        List<String> withUrl = new ArrayList<>(List.of(arguments));
        withUrl.addAll(List.of("--url", hub.uri().toString()));
        return Switchboard.commandLine(all, Hub.backstage(), new PrintWriter(out), new PrintWriter(err))
                .execute(withUrl.toArray(String[]::new));
    }
}
