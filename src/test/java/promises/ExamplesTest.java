package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.CommitLink;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.HubProcess;
import hub.Hub;
import hub.HubConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The folders that integrators copy do what their READMEs say. */
@Timeout(120)
class ExamplesTest {
    private static final Path EXAMPLES = Path.of("examples").toAbsolutePath();
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @AutoClose
    private static final DurableDatabase DATABASE = DurableDatabase.create();

    @TempDir
    private Path folder;

    private HubHome home(String name, String example) {
        return HubHome.in(folder.resolve(name))
                .database(DATABASE.url())
                .set(HubConfig.Key.ADAPTERS, EXAMPLES.resolve(example).resolve("adapters.yaml"))
                .set(HubConfig.Key.ROUTES, EXAMPLES.resolve(example));
    }

    @Test
    void droppedFileBecomesATodoAndIsMovedWhenItIsCommitted() throws Exception {
        Path orders = folder.resolve("orders");
        try (HubProcess hub =
                HubProcess.started(home("hub", "file-drop").variable("ORDERS_FOLDER", orders.toString()))) {
            ProcessBuilder send =
                    new ProcessBuilder(EXAMPLES.resolve("file-drop/send.sh").toString(), "1042").inheritIO();
            send.environment().put("ORDERS_FOLDER", orders.toString());

            Process sent = send.start();

            assertThat(sent.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(sent.exitValue()).isZero();
            await().atMost(PATIENCE).until(() -> Files.exists(orders.resolve(".done/1042.json")));
            assertThat(orders.resolve("1042.json")).doesNotExist();
            assertThat(DATABASE.query("SELECT queue, title FROM todos WHERE source = 'route:orders'"))
                    .singleElement()
                    .satisfies(todo -> assertThat(todo)
                            .containsEntry("queue", "orders")
                            .containsEntry("title", "Ship order 1042 to Ada Lovelace"));
            assertThat(hub.isAlive()).isTrue();
        }
    }

    @Test
    @Tag("soak")
    void droppedFileStaysWhereItIsWhenTheHubStopsWhileTheDatabaseIsAway() throws Exception {
        Path orders = folder.resolve("orders");
        try (CommitLink link = CommitLink.to(DATABASE.port())) {
            HubHome home = home("stopped", "file-drop")
                    .database(DATABASE.url(link.port()))
                    .variable("ORDERS_FOLDER", orders.toString());
            try (HubProcess hub = HubProcess.started(home)) {
                link.cut();
                Files.createDirectories(orders);
                Files.writeString(orders.resolve("7.json"), "{\"number\":7,\"customer\":\"Ada\"}");
                await().atMost(PATIENCE).until(() -> hub.log().contains("deliveries not stored"));

                hub.terminate();

                assertThat(hub.exitStatus(Duration.ofSeconds(40))).isZero();
                assertThat(orders.resolve("7.json")).as(hub.log()).exists();
                assertThat(orders.resolve(".done/7.json")).doesNotExist();
            }
        }
    }

    @Test
    void clockOfTwoHubsMakesOneTodoADay() {
        try (Hub one = Hub.start(home("one", "timer").config());
                Hub other = Hub.start(home("other", "timer").config())) {
            await().atMost(PATIENCE)
                    .until(() -> DATABASE.count(
                                    "SELECT coalesce(sum(duplicates), 0) FROM event_keys WHERE source = 'route:chores'")
                            > 0);

            assertThat(one.uri()).isNotEqualTo(other.uri());
            // two, should midnight have passed meanwhile
            long days = DATABASE.count("SELECT count(DISTINCT external_id) FROM events WHERE source = 'route:chores'");
            assertThat(days).isBetween(1L, 2L);
            assertThat(DATABASE.query("SELECT title FROM todos WHERE source = 'route:chores'"))
                    .hasSize((int) days)
                    .allSatisfy(todo -> assertThat(todo.get("title").toString())
                            .matches("Look at the backups of \\d{4}-\\d\\d-\\d\\d"));
        }
    }

    @Test
    void samplesOfProvidersAreSentAsTheirReadmesSay() throws Exception {
        assertThat(sent("github", "GITHUB_WEBHOOK_SECRET", home("github", "github"), "pull_request.opened.json"))
                .singleElement()
                .satisfies(answer -> assertThat(answer).contains("\"duplicate\":false", "\"queue\":\"reviews\""));
        List<String> stripe = sent(
                "stripe",
                "STRIPE_WEBHOOK_SECRET",
                home("stripe", "stripe"),
                "invoice.payment_failed.json",
                "invoice.payment_failed.json");
        assertThat(stripe.get(0)).contains("\"duplicate\":false", "\"queue\":\"dunning\"");
        assertThat(stripe.get(1)).contains("\"duplicate\":true", "\"created\":false");
        List<String> slack = sent(
                "slack",
                "SLACK_SIGNING_SECRET",
                home("slack", "slack"),
                "url_verification.json",
                "app_mention.json",
                "command.form");
        assertThat(slack.get(0)).isEqualTo("{\"challenge\":\"3eZbrw1aB10g\"}");
        assertThat(slack.get(1)).contains("\"queue\":\"mentions\"");
        assertThat(slack.get(2)).contains("\"queue\":\"commands\"");
        List<String> alerts =
                sent("alertmanager", "ALERTS_TOKEN", home("alerts", "alertmanager"), "firing.json", "firing.json");
        assertThat(alerts.get(0)).contains("\"queue\":\"incidents\"", "\"created\":true");
        assertThat(alerts.get(1)).contains("\"duplicate\":false", "\"created\":false");

        assertThat(DATABASE.query("SELECT title FROM todos WHERE source IN ('github', 'stripe', 'slack', 'alerts')"))
                .extracting(row -> row.get("title"))
                .contains(
                        "Payment of ada@example.com failed: HARBOUR-0042",
                        "/lighthouse on",
                        "LanternOut on lighthouse");
    }

    /** What each of the samples is answered, sent by the example's own script to a hub with its adapters. */
    private static List<String> sent(String example, String variable, HubHome home, String... samples)
            throws Exception {
        List<String> answers = new ArrayList<>();
        try (Hub hub =
                Hub.start(home.variable(variable, "made-up-for-the-example").config())) {
            for (String sample : samples) {
                Path script = EXAMPLES.resolve(example).resolve("send.sh");
                ProcessBuilder send = new ProcessBuilder(
                                script.toString(), script.resolveSibling(sample).toString())
                        .redirectErrorStream(true);
                send.environment().put("HUB", hub.uri().toString());
                send.environment().put(variable, "made-up-for-the-example");
                Process process = send.start();
                String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(process.waitFor()).as(answer).isZero();
                answers.add(answer.strip());
            }
        }
        return answers;
    }
}
