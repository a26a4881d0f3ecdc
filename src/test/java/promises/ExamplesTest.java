package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.CommitLink;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.HubProcess;
import hub.Hub;
import hub.HubConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
}
