package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import fixtures.Answer;
import fixtures.Deliveries;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.HubProcess;
import fixtures.Operator;
import fixtures.Queries;
import fixtures.Senders;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** kill -9 of the hub under load: every delivery that was answered with a 2xx is in the database after a restart, once. */
@Timeout(180)
class CrashTest {
    private static final int SENDERS = 8;
    /** So many accepted between two kills that all of the hub's life has begun. */
    private static final int ACCEPTED_BETWEEN_KILLS = 100;

    @AutoClose
    private final DurableDatabase database = DurableDatabase.create();

    @TempDir
    private Path folder;

    @Test
    void hubOnItsEmbeddedDatabaseKeepsWhatItAcknowledged() {
        killUnderLoad(HubHome.in(folder), 3);
    }

    @Test
    void hubOnADatabaseByUrlKeepsWhatItAcknowledged() {
        killUnderLoad(HubHome.in(folder).database(database.url()), 1);
    }

    @Test
    void todoThatWasClaimedWhenTheHubDiedGoesToSomebodyElseAndItsOldOwnerChangesNothing() {
        HubHome home = HubHome.in(folder).database(database.url());
        String id;
        try (HubProcess hub = HubProcess.started(home)) {
            assertThat(Deliveries.signedBy("github")
                            .withId("worked-on")
                            .sendTo(hub.uri())
                            .status())
                    .isEqualTo(202);
            JsonNode claimed = claimOne(hub.uri());
            assertThat(claimed.required("attempt").intValue()).isEqualTo(1);
            id = claimed.required("id").asText();
            hub.kill9();
        }

        try (HubProcess hub = HubProcess.started(home)) {
            JsonNode again = claimOne(hub.uri());
            Answer stale = complete(hub.uri(), id, 1);
            Answer live = complete(hub.uri(), id, 2);

            assertThat(again.required("id").asText()).isEqualTo(id);
            assertThat(again.required("attempt").intValue()).isEqualTo(2);
            assertThat(stale.status()).isEqualTo(409);
            assertThat(stale.code()).isEqualTo("stale_attempt");
            assertThat(live.status()).isEqualTo(200);
            assertThat(database.query(
                            "SELECT attempt, outcome FROM todo_attempts WHERE todo_id = ?::uuid ORDER BY 1", id))
                    .extracting(attempt -> attempt.get("outcome"))
                    .containsExactly("lease_expired", "completed");
        }
    }

    /** Waits until there is one; a lease of a second. */
    private static JsonNode claimOne(URI hub) {
        Answer claim =
                Operator.of(hub).post("/v1/claim", "{\"queues\":[\"github\"],\"wait_seconds\":20,\"lease_seconds\":1}");
        assertThat(claim.status()).isEqualTo(200);
        assertThat(claim.body().required("todos")).hasSize(1);
        return claim.body().required("todos").get(0);
    }

    private static Answer complete(URI hub, String todo, int attempt) {
        return Operator.of(hub).post("/v1/todos/" + todo + "/complete", "{\"attempt\":" + attempt + "}");
    }

    @Test
    @Tag("soak")
    @Timeout(1800)
    void hubThatIsKilledFiftyTimesKeepsWhatItAcknowledged() {
        killUnderLoad(HubHome.in(folder), 50);
    }

    private void killUnderLoad(HubHome home, int kills) {
        // senders know one address: the hub comes back to it
        int port = freePort();
        home.set(hub.HubConfig.Key.HTTP_PORT, port);
        URI uri = URI.create("http://127.0.0.1:" + port);
        HubProcess hub = HubProcess.started(home);
        try (Senders senders = Senders.to(() -> uri, "crash-", SENDERS)) {
            for (int kill = 1; kill <= kills; kill++) {
                int before = senders.accepted().size();
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> senders.accepted().size() > before + ACCEPTED_BETWEEN_KILLS);

                hub.kill9();
                hub = HubProcess.started(home);
            }
            senders.stop();

            assertStoredOnce(senders, home, uri);
        } finally {
            hub.close();
        }
    }

    private void assertStoredOnce(Senders senders, HubHome home, URI uri) {
        Queries queries = () -> databaseOf(home);
        Map<String, Long> stored = new HashMap<>();
        List<Map<String, Object>> events = queries.query("SELECT id, external_id FROM events");
        events.forEach(event -> stored.put((String) event.get("external_id"), (Long) event.get("id")));
        assertThat(stored).as("no identity twice").hasSameSizeAs(events);
        assertThat(stored).as("all that was promised").containsAllEntriesOf(senders.accepted());
        assertThat(queries.query("SELECT event_id, count(*) AS n FROM todos GROUP BY event_id"))
                .as("each with its todo")
                .hasSameSizeAs(events)
                .allSatisfy(todo -> assertThat(todo).containsEntry("n", 1L));
        assertThat(Operator.of(uri).get("/v1/events?limit=1").status()).isEqualTo(200);
    }

    /** The embedded server's own way in, or the database by URL. */
    private DataSource databaseOf(HubHome home) {
        if (home.environment().containsKey(hub.HubConfig.Key.DATABASE_URL.variable())) {
            return database.unpooled();
        }
        try {
            int port = Integer.parseInt(Files.readAllLines(home.data().resolve("postgres/postmaster.pid"))
                    .get(3));
            PGSimpleDataSource embedded = new PGSimpleDataSource();
            embedded.setUrl("jdbc:postgresql://127.0.0.1:" + port + "/switchboard");
            embedded.setUser("switchboard");
            embedded.setPassword(
                    Files.readString(home.data().resolve("postgres.password")).strip());
            return embedded;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
