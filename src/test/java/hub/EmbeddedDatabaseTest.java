package hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

class EmbeddedDatabaseTest {
    private static final String NEW_TABLE = "CREATE TABLE IF NOT EXISTS kept (fact text)";

    @TempDir
    static Path parent;

    /** One data folder for all tests: each of them is one more start over what the former left. */
    private static Path folder;

    @BeforeAll
    static void firstStart() throws Exception {
        folder = parent.toRealPath().resolve("data");
        // what a first start that was killed half-way leaves
        Files.createDirectories(folder.resolve("postgres.initialising").resolve("base"));
        Database.open(config(folder)).close();
    }

    @Test
    void commitsAreSafeAndTheServerSaysSo() throws Exception {
        try (Database database = Database.open(config(folder));
                Connection connection = database.pool().getConnection()) {
            assertThat(database.facts().embedded()).isTrue();
            assertThat(database.facts().version()).startsWith("18.");
            assertThat(OwnServer.one(connection, "SHOW fsync")).isEqualTo("on");
            assertThat(OwnServer.one(connection, "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(OwnServer.one(connection, "SHOW full_page_writes")).isEqualTo("on");
            assertThat(OwnServer.one(connection, "SHOW server_encoding")).isEqualTo("UTF8");
        }
    }

    @Test
    void nobodyEntersWithoutThePasswordThatOnlyItsOwnerCanRead() throws Exception {
        Path file = folder.resolve("postgres.password");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");

        try (Database database = Database.open(config(folder))) {
            PGSimpleDataSource guessed =
                    DatabaseUrl.parse(database.facts().url()).dataSource();
            guessed.setPassword("guessed");
            assertThatThrownBy(guessed::getConnection)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("28P01"));
            assertThat(database.facts().toString())
                    .doesNotContain(Files.readString(file).strip());
        }
        assertThat(Files.readAllLines(folder.resolve("postgres/pg_hba.conf")))
                .noneMatch(line -> line.endsWith("trust"));
    }

    @Test
    void whatIsCommittedIsThereAfterAStop() throws Exception {
        try (Database database = Database.open(config(folder))) {
            keep(database, "stopped");
        }
        assertThat(folder.resolve("postgres/postmaster.pid")).doesNotExist();

        try (Database database = Database.open(config(folder))) {
            assertKept(database, "stopped");
        }
    }

    @Test
    void aThreadThatWasToldToEndStillStopsTheServer() {
        Database database = Database.open(config(folder));

        Thread.currentThread().interrupt();
        database.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(folder.resolve("postgres/postmaster.pid")).doesNotExist();
    }

    @Test
    void aStartThatIsInterruptedLeavesNoServer() throws Exception {
        Thread start = new Thread(() -> Database.open(config(folder)).close(), "start");
        // how it fails depends on where the interrupt finds it, and it may come too late
        start.setUncaughtExceptionHandler((thread, failure) -> {});
        start.start();
        await().until(() -> Files.exists(folder.resolve("postgres/postmaster.pid")));

        start.interrupt();

        start.join();
        assertThat(folder.resolve("postgres/postmaster.pid")).doesNotExist();
    }

    @Test
    void aSecondHubInTheSameProcessIsRefusedAndTheFirstGoesOn() throws Exception {
        try (Database first = Database.open(config(folder))) {
            assertSecondStartNames(ProcessHandle.current().pid());
            assertSecondStartNames(ProcessHandle.current().pid());

            keep(first, "first goes on");
        }
    }

    @Test
    void aSecondHubIsRefusedAndToldWhoTheFirstIs() throws Exception {
        try (HolderProcess first = HolderProcess.of(folder)) {
            assertSecondStartNames(first.pid());
            assertSecondStartNames(first.pid());
        }
    }

    @Test
    void aKilledHubsServerIsAdopted() throws Exception {
        HolderProcess hub = HolderProcess.of(folder);
        long server = serverPid();
        hub.kill();
        assertThat(ProcessHandle.of(server)).isPresent();

        try (Database database = Database.open(config(folder))) {
            assertThat(serverPid()).isEqualTo(server);
            keep(database, "adopted");
        }
        await().until(() -> !isRunning(server));
    }

    @Test
    void whatIsCommittedSurvivesThePowerGoingOut() throws Exception {
        long server;
        try (HolderProcess hub = HolderProcess.of(folder)) {
            server = serverPid();
            try (Database beside = Database.openBeside(config(folder))) {
                keep(beside, "power cut");
            }
            hub.kill();
        }
        kill(server);

        try (Database database = Database.open(config(folder))) {
            assertThat(serverPid()).isNotEqualTo(server);
            assertKept(database, "power cut");
        }
    }

    @Test
    void aLeftServerThatDoesNotSyncIsReplacedByOneThatDoes() throws Exception {
        assertThat(ServerPrograms.unpackedIn(OwnServer.PROGRAMS)
                        .run(
                                "pg_ctl",
                                List.of(
                                        "start",
                                        "-w",
                                        "-D",
                                        folder.resolve("postgres").toString(),
                                        "-l",
                                        folder.resolve("postgres.log").toString(),
                                        "-o",
                                        "-p " + OwnServer.freePort()
                                                + " -c unix_socket_directories= -c listen_addresses=127.0.0.1 -c fsync=off"),
                                "",
                                60))
                .matches(ServerPrograms.Outcome::ok);
        long unsafe = serverPid();

        try (Database database = Database.open(config(folder));
                Connection connection = database.pool().getConnection()) {
            assertThat(OwnServer.one(connection, "SHOW fsync")).isEqualTo("on");
            assertThat(serverPid()).isNotEqualTo(unsafe);
        }
    }

    @Test
    void aPidFileThatNamesAnotherProgramDoesNotStopAStart() throws Exception {
        Files.write(
                folder.resolve("postgres/postmaster.pid"),
                List.of(
                        Long.toString(ProcessHandle.current().pid()),
                        folder.resolve("postgres").toString(),
                        "1700000000",
                        "5432",
                        "",
                        "127.0.0.1",
                        "",
                        "ready"));

        try (Database database = Database.open(config(folder))) {
            keep(database, "pid reused");
        }
    }

    @Test
    void aLostPasswordIsMadeAnew() throws Exception {
        try (Database database = Database.open(config(folder))) {
            keep(database, "before the password was lost");
        }
        String lost = Files.readString(folder.resolve("postgres.password"));
        Files.delete(folder.resolve("postgres.password"));

        try (Database database = Database.open(config(folder))) {
            assertKept(database, "before the password was lost");
        }
        assertThat(Files.readString(folder.resolve("postgres.password"))).isNotEqualTo(lost);
    }

    @Test
    void aServerThatDiesUnderARunningHubIsStartedAgain() throws Exception {
        try (Database database = Database.open(config(folder))) {
            keep(database, "before the server died");
            kill(serverPid());

            await().atMost(Duration.ofSeconds(30)).ignoreExceptions().untilAsserted(() -> {
                assertKept(database, "before the server died");
            });
        }
        assertThat(folder.resolve("postgres/postmaster.pid")).doesNotExist();
    }

    @Test
    void aCommandBesideARunningHubLeavesItsServerAlone() throws Exception {
        try (Database hub = Database.open(config(folder))) {
            try (Database beside = Database.openBeside(config(folder))) {
                keep(beside, "from beside");
            }
            assertKept(hub, "from beside");
        }
    }

    @Test
    void aDataFolderOfAnotherMajorVersionIsNamedAndLeftAlone(@TempDir Path other) throws Exception {
        Path cluster = Files.createDirectories(other.resolve("postgres"));
        Files.writeString(cluster.resolve("PG_VERSION"), "17\n");

        assertThatThrownBy(() -> Database.open(config(other)))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("PostgreSQL 17")
                .hasMessageContaining("18")
                .hasMessageContaining("SWITCHBOARD_DATABASE_URL");
        assertThat(cluster).isDirectoryContaining("glob:**PG_VERSION");
        assertThat(other.resolve("postgres.password")).doesNotExist();
    }

    @Test
    void aDataFolderOfAnotherUserIsNamed(@TempDir Path other) throws Exception {
        Path cluster = other.resolve("postgres");
        if (ServerPrograms.userId() == 0) {
            Files.createDirectories(cluster);
            Files.setAttribute(cluster, "unix:uid", 65534);
        } else {
            // root's
            Files.createSymbolicLink(cluster, Path.of("/usr"));
        }

        assertThatThrownBy(() -> Database.open(config(other)))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("belongs to user")
                .hasMessageContaining("chown")
                .hasMessageContaining("SWITCHBOARD_DATABASE_URL");
    }

    @Test
    void aDataFolderThatCannotBeMadeIsNamed(@TempDir Path other) throws Exception {
        Path file = Files.createFile(other.resolve("occupied"));

        assertThatThrownBy(() -> Database.open(config(file)))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("SWITCHBOARD_DATA_DIR");
    }

    @Test
    void aPathThatAShellWouldReadIsRefused(@TempDir Path other) {
        assertThatThrownBy(() -> Database.open(config(other.resolve("it's $HOME"))))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("quotes");
    }

    @Test
    void aFullDiskIsCalledOne() {
        assertThat(EmbeddedServer.failure(
                        "cannot make the database in /data",
                        "initdb: error: could not write file \"/data/postgres/base\": No space left on device\n"))
                .hasMessageContaining("the disk is full")
                .hasMessageContaining("/data/postgres/base");
    }

    @Test
    void aFailedStartGivesTheFolderBack(@TempDir Path other) throws Exception {
        Path cluster = Files.createDirectories(other.resolve("postgres"));

        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> Database.open(config(other)))
                    .isInstanceOf(StartFailure.class)
                    .hasMessageContaining(cluster.toRealPath() + " is no PostgreSQL data folder");
        }
    }

    private static HubConfig config(Path dataDir) {
        return HubConfig.builder()
                .set(HubConfig.Key.DATA_DIR, dataDir)
                .set(HubConfig.Key.DATABASE_PROGRAMS, OwnServer.PROGRAMS)
                .build();
    }

    private static void assertSecondStartNames(long pid) {
        assertThatThrownBy(() -> Database.open(config(folder)))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("pid " + pid);
    }

    private static void keep(Database database, String fact) throws SQLException {
        try (Connection connection = database.pool().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(NEW_TABLE);
            statement.execute("INSERT INTO kept VALUES ('" + fact + "')");
        }
    }

    private static void assertKept(Database database, String fact) throws SQLException {
        try (Connection connection = database.pool().getConnection()) {
            assertThat(OwnServer.one(connection, "SELECT count(*) FROM kept WHERE fact = '" + fact + "'"))
                    .isEqualTo("1");
        }
    }

    private static long serverPid() throws IOException {
        return EmbeddedServer.Postmaster.of(folder.resolve("postgres"))
                .orElseThrow()
                .pid();
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        await().until(() -> !isRunning(pid));
    }

    private static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }
}
