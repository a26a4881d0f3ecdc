package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.Answer;
import fixtures.Deliveries;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.HubProcess;
import fixtures.Senders;
import fixtures.StoppablePostgres;
import hub.HubConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How the hub's process begins, and how it ends. */
@Timeout(120)
class StartAndStopTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @AutoClose
    private static final DurableDatabase DATABASE = DurableDatabase.create();

    @TempDir
    private Path folder;

    private HubHome home() {
        return HubHome.in(folder).database(DATABASE.url());
    }

    @Test
    void portThatIsTakenEndsTheStartAndIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                HubProcess hub = HubProcess.launch(home().set(HubConfig.Key.HTTP_PORT, taken.getLocalPort()))) {
            int status = hub.exitStatus(PATIENCE);

            assertThat(status).isEqualTo(1);
            assertThat(hub.log()).contains("127.0.0.1:" + taken.getLocalPort()).doesNotContain("\tat ");
        }
    }

    @Test
    void settingThatDoesNotExistEndsTheStartAndTheNearestIsNamed() {
        try (HubProcess hub = HubProcess.launch(home().variable("SWITCHBOARD_HTTP_PROT", "8080"))) {
            int status = hub.exitStatus(PATIENCE);

            assertThat(status).isEqualTo(1);
            assertThat(hub.log()).contains("SWITCHBOARD_HTTP_PROT").contains("SWITCHBOARD_HTTP_PORT");
        }
    }

    @Test
    void routeThatDoesNotParseEndsTheStartAndItsLineIsNamed() {
        HubHome home = home().route("broken.camel.yaml", """
                - route:
                    id: fine
                    from:
                      uri: timer:fine
                      steps:
                        - tow: intake:orders
                """);
        try (HubProcess hub = HubProcess.launch(home)) {
            int status = hub.exitStatus(PATIENCE);

            assertThat(status).isEqualTo(1);
            assertThat(hub.log()).contains("broken.camel.yaml:").containsPattern("broken\\.camel\\.yaml:[1-7]: ");
        }
    }

    @Test
    void terminatedHubFinishesWhatItBeganLosesNothingAndEndsWithStatus0() {
        try (HubProcess hub = HubProcess.started(home())) {
            URI uri = hub.uri();
            try (Senders senders = Senders.to(() -> uri, "term-", 8)) {
                await().atMost(PATIENCE).until(() -> senders.accepted().size() > 100);

                hub.terminate();

                int status = hub.exitStatus(Duration.ofSeconds(20));
                senders.stop();
                assertThat(status).isZero();
                // who came while it stopped was asked to come back, and nothing else
                assertThat(senders.refusalStatuses()).isSubsetOf(503);
                assertThat(DATABASE.query("SELECT external_id, id FROM events WHERE external_id LIKE 'term-%'"))
                        .extracting(event -> event.get("id"))
                        .containsAll(senders.accepted().values());
                assertThat(DATABASE.count("SELECT count(*) FROM events WHERE external_id LIKE 'term-%'"))
                        .as("nothing but what was accepted, or had no answer")
                        .isLessThanOrEqualTo(
                                senders.accepted().size() + senders.unanswered().size());
            }
        }
    }

    @Test
    void hubThatStartsBeforeItsDatabaseSaysSoAndIsReadyOnceItIsThere() {
        try (StoppablePostgres late = StoppablePostgres.stopped();
                HubProcess hub = HubProcess.launch(HubHome.in(folder)
                        .database("postgres://%s:%s@127.0.0.1:%d/postgres"
                                .formatted(late.user(), late.password(), late.port())))) {
            URI uri = hub.uri();

            await().atMost(PATIENCE)
                    .until(() ->
                            Deliveries.signedBy("github").sendTo(uri).code().equals("starting"));
            Answer refused = Deliveries.signedBy("github").sendTo(uri);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(Answer.toGet(uri.resolve("/health/live")).status()).isEqualTo(200);
            assertThat(Answer.toGet(uri.resolve("/health/ready")).status()).isEqualTo(503);

            late.start();

            hub.awaitReady();
            assertThat(Deliveries.signedBy("github").sendTo(uri).status()).isEqualTo(202);
            assertThat(late.count("SELECT count(*) FROM events")).isEqualTo(1);
            assertThat(LogPace.of(hub.log()).most()).isLessThanOrEqualTo(1);
        }
    }
}
