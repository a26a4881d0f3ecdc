package hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseByUrlTest {
    @TempDir
    static Path folder;

    private static OwnServer server;

    @BeforeAll
    static void aServerThatSomebodyElseRuns() throws Exception {
        server = OwnServer.in(folder).start();
    }

    @AfterAll
    static void stopIt() throws Exception {
        server.close();
    }

    @Test
    void aServerByUrlIsUsedWithoutTouchingTheDataFolder() {
        Path dataDir = folder.resolve("untouched");

        try (Database database = Database.open(HubConfig.builder()
                .set(HubConfig.Key.DATABASE_URL, server.url())
                .set(HubConfig.Key.DATA_DIR, dataDir)
                .build())) {
            assertThat(database.facts().embedded()).isFalse();
            assertThat(database.facts().version()).startsWith("18.");
            assertThat(database.facts().url())
                    .startsWith("postgres://owner@127.0.0.1:")
                    .endsWith("/postgres")
                    .doesNotContain("p@ss", "p%40ss");
            assertThat(database.facts().clockSkew().abs()).isLessThan(Duration.ofSeconds(1));
        }

        assertThat(dataDir).doesNotExist();
    }

    @Test
    void pooledConnectionsAreReadCommittedWhateverTheRoleSays() throws Exception {
        server.execute(role("strict"), "ALTER ROLE strict SET default_transaction_isolation = 'serializable'");

        try (Database database = Database.open(by(server.url("strict", "postgres")));
                Connection connection = database.pool().getConnection()) {
            assertThat(OwnServer.one(connection, "SHOW transaction_isolation")).isEqualTo("read committed");
            assertThat(connection.getAutoCommit()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"off, on", "local, on", "remote_write, on", "on, on", "remote_apply, remote_apply"})
    void synchronousCommitIsRaisedAndNeverLowered(String ofTheRole, String effective) throws Exception {
        String name = "writes_" + ofTheRole;
        server.execute(role(name), "ALTER ROLE " + name + " SET synchronous_commit = " + ofTheRole);

        try (Database database = Database.open(by(server.url(name, "postgres")));
                Connection connection = database.pool().getConnection()) {
            assertThat(OwnServer.one(connection, "SHOW synchronous_commit")).isEqualTo(effective);
            assertThat(database.facts().synchronousCommit()).isEqualTo(effective);
        }
    }

    @Test
    void aServerWithoutFsyncIsRefused() throws Exception {
        server.execute("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()");
        awaitSetting("fsync", "off");
        try {
            assertThatThrownBy(() -> Database.open(by(server.url())))
                    .isInstanceOf(StartFailure.class)
                    .hasMessageContaining("fsync is off");
        } finally {
            server.execute("ALTER SYSTEM RESET fsync", "SELECT pg_reload_conf()");
            awaitSetting("fsync", "on");
        }
    }

    @Test
    void aDatabaseOfAnotherEncodingIsRefused() throws Exception {
        server.execute("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0 STRATEGY wal_log");

        assertThatThrownBy(() -> Database.open(by(server.url("owner", "ascii"))))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("SQL_ASCII")
                .hasMessageContaining("UTF8");
    }

    @Test
    void aReadOnlyDatabaseIsRefused() throws Exception {
        server.execute(role("reader"), "ALTER ROLE reader SET default_transaction_read_only = on");

        assertThatThrownBy(() -> Database.open(by(server.url("reader", "postgres"))))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("read-only");
    }

    @Test
    void aStandbyIsRefused() throws Exception {
        Path signal = server.stop().cluster().resolve("standby.signal");
        Files.createFile(signal);
        server.start();
        try {
            assertThatThrownBy(() -> Database.open(by(server.url())))
                    .isInstanceOf(StartFailure.class)
                    .hasMessageContaining("standby");
        } finally {
            server.stop();
            Files.delete(signal);
            server.start();
        }
    }

    @Test
    void aWrongPasswordIsNotWaitedFor() {
        String wrong = server.url().replace("p%40ss", "wrong");

        assertThatThrownBy(() -> Database.open(by(wrong)))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("password authentication failed")
                .hasMessageNotContaining("wrong%2F");
    }

    @Test
    void aRoleThatMayNotMakeTablesIsNamed() throws Exception {
        server.execute(
                "CREATE DATABASE closed TEMPLATE template0 STRATEGY wal_log",
                "CREATE ROLE guest LOGIN PASSWORD '" + OwnServer.PASSWORD + "'");

        assertThatThrownBy(() -> Database.open(by(server.url("guest", "closed"))))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("permission denied for schema public");
    }

    @Test
    void aDatabaseThatIsDownIsWaitedFor() throws Exception {
        server.stop();

        CompletableFuture<Database> opening = CompletableFuture.supplyAsync(() -> Database.open(by(server.url())));
        await().during(Duration.ofMillis(1500)).atMost(Duration.ofSeconds(3)).until(() -> !opening.isDone());
        server.start();

        await().atMost(Duration.ofSeconds(15)).until(opening::isDone);
        try (Database database = opening.join()) {
            assertThat(database.pool().isRunning()).isTrue();
        }
    }

    @Test
    void theWaitForADatabaseEndsWhenTheConfigurationSaysSo() throws Exception {
        String nobody = "postgres://me:secret@127.0.0.1:" + OwnServer.freePort() + "/hub";
        HubConfig config = HubConfig.builder()
                .set(HubConfig.Key.DATABASE_URL, nobody)
                .set(HubConfig.Key.DATABASE_WAIT, 1)
                .build();

        assertThatThrownBy(() -> Database.open(config))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("does not answer")
                .hasMessageContaining("SWITCHBOARD_DATABASE_WAIT=1")
                .hasMessageNotContaining("secret");
    }

    @Test
    void twoHubsMigrateAtTheSameTime() throws Exception {
        server.execute("CREATE DATABASE shared TEMPLATE template0 STRATEGY wal_log");
        HubConfig config = by(server.url("owner", "shared"));

        CompletableFuture<Database> first = CompletableFuture.supplyAsync(() -> Database.open(config));
        CompletableFuture<Database> second = CompletableFuture.supplyAsync(() -> Database.open(config));

        try (Database one = first.join();
                Database two = second.join()) {
            assertThat(one.pool().isRunning() && two.pool().isRunning()).isTrue();
        } catch (CompletionException failed) {
            throw new AssertionError("both must start", failed);
        }
    }

    @Test
    void theListenerMayHaveAUrlOfItsOwn() throws Exception {
        server.execute(role("listener"));
        HubConfig config = HubConfig.builder()
                .set(HubConfig.Key.DATABASE_URL, server.url())
                .set(HubConfig.Key.LISTENER_URL, server.url("listener", "postgres"))
                .build();

        try (Database database = Database.open(config);
                Connection listening = database.listener().getConnection();
                Connection pooled = database.pool().getConnection()) {
            assertThat(OwnServer.one(listening, "SELECT current_user")).isEqualTo("listener");
            assertThat(OwnServer.one(listening, "SHOW application_name")).isEqualTo("switchboard");
            assertThat(OwnServer.one(pooled, "SELECT current_user")).isEqualTo("owner");
        }
    }

    private static HubConfig by(String url) {
        return HubConfig.builder().set(HubConfig.Key.DATABASE_URL, url).build();
    }

    private static String role(String name) {
        return "CREATE ROLE " + name + " LOGIN SUPERUSER PASSWORD '" + OwnServer.PASSWORD + "'";
    }

    private static void awaitSetting(String name, String value) {
        await().untilAsserted(() -> {
            try (Connection connection = server.connection()) {
                assertThat(OwnServer.one(connection, "SHOW " + name)).isEqualTo(value);
            }
        });
    }
}
