package hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A PostgreSQL that somebody else runs: made from the embedded programs, with whatever flags a test needs. */
final class OwnServer implements AutoCloseable {
    static final Path PROGRAMS = Path.of("target", "postgres-programs").toAbsolutePath();

    /** Needs encoding in a URL. */
    static final String PASSWORD = "p@ss/w:rd";

    private static final String ENCODED_PASSWORD = "p%40ss%2Fw%3Ard";

    private final ServerPrograms programs;
    private final Path cluster;
    private final int port;

    private OwnServer(ServerPrograms programs, Path cluster, int port) {
        this.programs = programs;
        this.cluster = cluster;
        this.port = port;
    }

    /** Made, and not started. */
    static OwnServer in(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        ServerPrograms programs = ServerPrograms.unpackedIn(PROGRAMS);
        Path password = Files.writeString(folder.resolve("password"), PASSWORD);
        Path cluster = folder.resolve("cluster");
        assertThat(programs.run(
                        "initdb",
                        List.of(
                                "-D",
                                cluster.toString(),
                                "-U",
                                "owner",
                                "--pwfile=" + password,
                                "--auth=scram-sha-256",
                                "-E",
                                "UTF8",
                                "--locale=C",
                                "--no-sync"),
                        "",
                        60))
                .matches(ServerPrograms.Outcome::ok);
        return new OwnServer(programs, cluster, freePort());
    }

    OwnServer start(String... settings) throws IOException, InterruptedException {
        String options = "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories="
                + String.join(
                        "",
                        List.of(settings).stream().map(each -> " -c " + each).toList());
        assertThat(programs.run(
                        "pg_ctl",
                        List.of(
                                "start",
                                "-w",
                                "-D",
                                cluster.toString(),
                                "-l",
                                cluster.resolveSibling("log").toString(),
                                "-o",
                                options),
                        "",
                        60))
                .matches(ServerPrograms.Outcome::ok);
        return this;
    }

    OwnServer stop() throws IOException, InterruptedException {
        assertThat(programs.run("pg_ctl", List.of("stop", "-w", "-m", "fast", "-D", cluster.toString()), "", 60))
                .matches(ServerPrograms.Outcome::ok);
        return this;
    }

    Path cluster() {
        return cluster;
    }

    String url(String user, String database) {
        return "postgres://" + user + ":" + ENCODED_PASSWORD + "@127.0.0.1:" + port + "/" + database;
    }

    String url() {
        return url("owner", "postgres");
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    Connection connection() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "owner", PASSWORD);
    }

    static String one(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        if (Files.exists(cluster.resolve("postmaster.pid"))) {
            try {
                stop();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
