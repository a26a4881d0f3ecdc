package hub;

import com.sun.management.OperatingSystemMXBean;
import hub.ServerPrograms.Outcome;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.postgresql.PGProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The PostgreSQL that the hub brings along: a real server process over {@code postgres/} in the data folder, on
 * loopback, behind a generated password, with fsync and synchronous_commit on.
 *
 * <p>It outlives a hub that is killed; the next start finds it by its {@code postmaster.pid} and adopts it, or stops it
 * and starts it again. It runs in a session of its own, so that a Ctrl-C at the terminal reaches the hub alone. Should it
 * die under a running hub, it is started again on the same port.
 */
final class EmbeddedServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServer.class);

    private static final String USER = "switchboard";
    private static final String DATABASE = "switchboard";

    /** Room for the programs, a new cluster and its first write-ahead log. */
    private static final long LEAST_FREE_BYTES = 300L << 20;

    private static final long LARGEST_OLD_LOG_BYTES = 10L << 20;
    private static final int START_ATTEMPTS = 5;

    /** Recovery after a crash replays up to max_wal_size. */
    private static final int START_TIMEOUT_SECONDS = 600;

    private static final int STOP_TIMEOUT_SECONDS = 60;
    private static final int WATCH_PERIOD_MILLIS = 500;
    private static final int TOOL_TIMEOUT_SECONDS = 120;

    /** pg_ctl hands paths to a shell. */
    private static final Pattern UNSAFE_IN_PATHS = Pattern.compile("[\"'`$\\\\\\p{Cntrl}]");

    /**
     * On the command line, where they win over every configuration file. The log keeps neither parameters nor details:
     * both may hold payloads.
     */
    private static final List<String> SETTINGS = List.of(
            "fsync=on",
            "synchronous_commit=on",
            "full_page_writes=on",
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "timezone=UTC",
            "log_timezone=UTC",
            "log_error_verbosity=terse",
            "log_parameter_max_length_on_error=0",
            "log_checkpoints=off",
            "idle_in_transaction_session_timeout=30s",
            "jit=off",
            "max_wal_size=2GB");

    private final ServerPrograms programs;
    private final Path cluster;
    private final Path log;
    private final String password;
    private final int port;
    private volatile boolean closing;

    private EmbeddedServer(ServerPrograms programs, Path cluster, Path log, String password, int port) {
        this.programs = programs;
        this.cluster = cluster;
        this.log = log;
        this.password = password;
        this.port = port;
    }

    /**
     * A server over {@code folder} that accepts connections. The caller holds the folder's {@link HubLock}.
     *
     * @param folder an absolute, existing path without symbolic links
     */
    static EmbeddedServer start(Path folder, Path programsFolder) throws IOException, InterruptedException {
        if (UNSAFE_IN_PATHS.matcher(folder.toString()).find()) {
            throw new StartFailure("data folder " + folder
                    + ": the embedded PostgreSQL cannot live under a path with quotes, $, ` or \\ in it");
        }
        Path cluster = folder.resolve("postgres");
        if (ServerPrograms.userId() == 0) {
            // in its user namespace root has no say over other users' files
            checkOwner(folder);
        }
        if (!Files.exists(cluster)) {
            checkFreeSpace(folder);
        }
        ServerPrograms programs = ServerPrograms.unpackedIn(programsFolder);
        Path passwordFile = folder.resolve("postgres.password");
        if (!Files.exists(cluster)) {
            initialise(programs, folder, cluster, passwordFile);
        }
        checkOwner(cluster);
        checkMajorVersion(cluster);
        if (!Files.exists(passwordFile)) {
            renewPassword(programs, cluster, passwordFile);
        }
        Path log = folder.resolve("postgres.log");
        String password = Files.readString(passwordFile).strip();

        Optional<Postmaster> running = Postmaster.of(cluster);
        if (running.isPresent()) {
            Postmaster postmaster = running.get();
            if (postmaster.process().isEmpty()) {
                postmaster.disown();
            } else if (isAdoptable(postmaster, cluster, password)) {
                LOG.info("embedded PostgreSQL still runs, adopted pid={} port={}", postmaster.pid(), postmaster.port());
                return new EmbeddedServer(programs, cluster, log, password, postmaster.port()).watched();
            } else {
                LOG.info("embedded PostgreSQL still runs, but not as it should: restarted pid={}", postmaster.pid());
                stop(programs, cluster);
            }
        }
        return startOnFreePort(programs, cluster, log, password).watched();
    }

    /** Where a server over {@code folder}, started by a hub that still runs, can be entered. */
    static DatabaseUrl urlOfRunning(Path folder) throws IOException {
        Postmaster postmaster = Postmaster.of(folder.resolve("postgres"))
                .orElseThrow(() -> new StartFailure("the hub that runs in " + folder
                        + " has started no PostgreSQL there (yet): it is starting, or uses "
                        + HubConfig.Key.DATABASE_URL.variable()));
        String password = Files.readString(folder.resolve("postgres.password")).strip();
        return DatabaseUrl.loopback(postmaster.port(), DATABASE, USER, password);
    }

    DatabaseUrl url() {
        return DatabaseUrl.loopback(port, DATABASE, USER, password);
    }

    /** Also on a thread that was told to end, as when a signal stops a start: nobody else would stop the server. */
    @Override
    public void close() {
        closing = true;
        Uninterrupted.run(this::stop);
    }

    private void stop() {
        try {
            stopOnce();
        } catch (IOException | StartFailure failed) {
            LOG.error("embedded PostgreSQL did not stop; the next start adopts it", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a revival under way, which would leave a server behind. */
    private synchronized void stopOnce() throws IOException, InterruptedException {
        stop(programs, cluster);
    }

    // --- first start -------------------------------------------------------------------------------------------

    /** In a folder of another name first: a cluster called {@code postgres} has its password and its database. */
    private static void initialise(ServerPrograms programs, Path folder, Path cluster, Path passwordFile)
            throws IOException, InterruptedException {
        Path unfinished = folder.resolve("postgres.initialising");
        ServerPrograms.delete(unfinished);
        writeSecret(passwordFile, newPassword());
        LOG.info("first start: making the database folder={}", cluster);
        Outcome made = programs.run(
                "initdb",
                List.of(
                        "--pgdata=" + unfinished,
                        "--username=" + USER,
                        "--pwfile=" + passwordFile,
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        "--locale-provider=builtin",
                        "--builtin-locale=C.UTF-8",
                        "--locale=C",
                        // in postgresql.conf and not in SETTINGS, so that ALTER SYSTEM can change it
                        "--set=shared_buffers=" + bufferMegabytes() + "MB",
                        "--no-instructions"),
                "",
                TOOL_TIMEOUT_SECONDS);
        if (!made.ok()) {
            throw failure("cannot make the database in " + folder, made.output());
        }
        alone(programs, unfinished, "CREATE DATABASE " + DATABASE + "\n");
        Files.move(unfinished, cluster, StandardCopyOption.ATOMIC_MOVE);
    }

    /** A sixteenth of the memory, at least PostgreSQL's own default and at most what a million waiting todos need. */
    private static long bufferMegabytes() {
        long memory =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        return Math.max(128, Math.min(512, (memory >> 20) / 16));
    }

    /** Runs a statement in single-user mode: no server listens, so no password is asked for. */
    private static void alone(ServerPrograms programs, Path cluster, String statement)
            throws IOException, InterruptedException {
        Outcome done = programs.run(
                "postgres",
                List.of("--single", "-D", cluster.toString(), "-c", "log_min_messages=error", "postgres"),
                statement,
                TOOL_TIMEOUT_SECONDS);
        if (!done.ok() || done.output().contains("ERROR:")) {
            throw failure("cannot prepare the database in " + cluster, done.output());
        }
    }

    /** The file is gone, its cluster is not: whoever may write the cluster's files may set a new password. */
    private static void renewPassword(ServerPrograms programs, Path cluster, Path passwordFile)
            throws IOException, InterruptedException {
        LOG.warn("postgres.password is missing: the embedded PostgreSQL gets a new one file={}", passwordFile);
        if (runningOver(cluster).isPresent()) {
            stop(programs, cluster);
        }
        String password = newPassword();
        alone(programs, cluster, "ALTER ROLE " + USER + " PASSWORD '" + password + "'\n");
        writeSecret(passwordFile, password);
    }

    private static String newPassword() {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    private static void writeSecret(Path file, String secret) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, secret + "\n", StandardOpenOption.SYNC, StandardOpenOption.WRITE);
    }

    // --- what stands in the way --------------------------------------------------------------------------------

    private static void checkFreeSpace(Path folder) throws IOException {
        long free = Files.getFileStore(folder).getUsableSpace();
        if (free < LEAST_FREE_BYTES) {
            throw new StartFailure(
                    "data folder " + folder + ": " + (free >> 20) + " MiB are free, a new database needs "
                            + (LEAST_FREE_BYTES >> 20) + ". Make room, or choose another folder with "
                            + HubConfig.Key.DATA_DIR.variable() + " or another database with "
                            + HubConfig.Key.DATABASE_URL.variable());
        }
    }

    private static void checkOwner(Path cluster) throws IOException {
        int owner = (int) Files.getAttribute(cluster, "unix:uid");
        int self = ServerPrograms.userId();
        if (owner != self) {
            throw new StartFailure(cluster + " belongs to user " + owner + " (" + Files.getOwner(cluster)
                    + ") and the hub runs as user " + self + " (" + System.getProperty("user.name")
                    + "): PostgreSQL refuses that. Start the hub as its owner, give it the folder (chown -R " + self
                    + "), or use another database with " + HubConfig.Key.DATABASE_URL.variable());
        }
    }

    private static void checkMajorVersion(Path cluster) throws IOException {
        Path file = cluster.resolve("PG_VERSION");
        if (!Files.exists(file)) {
            throw new StartFailure(cluster + " is no PostgreSQL data folder: PG_VERSION is missing. Restore it, move it"
                    + " away, or use another database with " + HubConfig.Key.DATABASE_URL.variable());
        }
        String found = Files.readString(file).strip();
        if (!found.equals(ServerPrograms.MAJOR_VERSION)) {
            throw new StartFailure(cluster + " was made by PostgreSQL " + found + ", the embedded one is "
                    + ServerPrograms.MAJOR_VERSION
                    + ": a data folder cannot be opened by another major version. Dump and restore it"
                    + " (docs/operating.md, upgrade), or run it under a PostgreSQL " + found
                    + " of your own and set " + HubConfig.Key.DATABASE_URL.variable());
        }
    }

    /** Says what an operator must act on, told from what the program said. */
    static StartFailure failure(String what, String output) {
        String last = lastLines(output);
        if (output.contains("No space left on device")) {
            return new StartFailure(what + ": the disk is full (" + last + ")");
        }
        return new StartFailure(what + ": " + last + ". Set " + HubConfig.Key.DATABASE_URL.variable()
                + " to use a PostgreSQL of your own");
    }

    private static String lastLines(String output) {
        List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
        return String.join(" | ", lines.subList(Math.max(0, lines.size() - 4), lines.size()));
    }

    // --- start, adopt, stop ------------------------------------------------------------------------------------

    private static EmbeddedServer startOnFreePort(ServerPrograms programs, Path cluster, Path log, String password)
            throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            EmbeddedServer server = new EmbeddedServer(programs, cluster, log, password, freePort());
            Outcome started;
            try {
                started = server.launch();
            } catch (InterruptedException stopped) {
                server.close();
                throw stopped;
            }
            if (started.ok()) {
                return server;
            }
            // someone may have taken the port between our look and the server's
            if (attempt == START_ATTEMPTS || !started.output().contains("Address already in use")) {
                throw failure("the embedded PostgreSQL does not start", started.output());
            }
        }
    }

    private Outcome launch() throws IOException, InterruptedException {
        turnLog();
        long before = Files.exists(log) ? Files.size(log) : 0;
        StringBuilder options = new StringBuilder("-p ").append(port);
        SETTINGS.forEach(setting -> options.append(" -c ").append(setting));
        Outcome outcome = programs.run(
                "pg_ctl",
                List.of(
                        "start",
                        "-w",
                        "-t",
                        Integer.toString(START_TIMEOUT_SECONDS),
                        "-D",
                        cluster.toString(),
                        "-l",
                        log.toString(),
                        "-o",
                        options.toString()),
                "",
                START_TIMEOUT_SECONDS + 10);
        return outcome.ok() ? outcome : new Outcome(outcome.status(), outcome.output() + logSince(before));
    }

    private String logSince(long position) throws IOException {
        if (!Files.exists(log)) {
            return "";
        }
        byte[] all = Files.readAllBytes(log);
        int from = (int) Math.min(position, all.length);
        return new String(all, from, all.length - from, StandardCharsets.UTF_8);
    }

    private void turnLog() throws IOException {
        if (Files.exists(log) && Files.size(log) > LARGEST_OLD_LOG_BYTES) {
            Files.move(log, log.resolveSibling("postgres.log.1"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void stop(ServerPrograms programs, Path cluster) throws IOException, InterruptedException {
        for (String mode : List.of("fast", "immediate")) {
            // we wait ourselves: a second Ctrl-C may kill pg_ctl, and must not turn a fast stop into an immediate one
            Outcome told = programs.run(
                    "pg_ctl", List.of("stop", "-W", "-m", mode, "-D", cluster.toString()), "", TOOL_TIMEOUT_SECONDS);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_TIMEOUT_SECONDS);
            while (System.nanoTime() < deadline) {
                if (runningOver(cluster).isEmpty()) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
            LOG.warn("embedded PostgreSQL does not stop mode={} said={}", mode, lastLines(told.output()));
        }
        throw new StartFailure("the embedded PostgreSQL over " + cluster + " does not stop; look into postgres.log");
    }

    private static Optional<ProcessHandle> runningOver(Path cluster) throws IOException {
        return Postmaster.of(cluster).flatMap(Postmaster::process);
    }

    /** Whether the server that a killed hub left is the one that we would start: this folder's, safe, of this version. */
    private static boolean isAdoptable(Postmaster postmaster, Path cluster, String password)
            throws InterruptedException {
        DatabaseUrl url = DatabaseUrl.loopback(postmaster.port(), DATABASE, USER, password)
                .with(PGProperty.CONNECT_TIMEOUT, 3)
                .with(PGProperty.SOCKET_TIMEOUT, 10);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (postmaster.process().isPresent() && System.nanoTime() < deadline) {
            try (Connection connection = url.dataSource().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("""
                            SELECT current_setting('data_directory') AS folder,
                                   current_setting('server_version_num')::int / 10000 AS major,
                                   current_setting('fsync') AS fsync,
                                   current_setting('synchronous_commit') AS synchronous_commit
                            """)) {
                row.next();
                return Path.of(row.getString("folder")).equals(cluster)
                        && row.getString("major").equals(ServerPrograms.MAJOR_VERSION)
                        && row.getString("fsync").equals("on")
                        && row.getString("synchronous_commit").equals("on");
            } catch (SQLException notNow) {
                if (!Database.isTransient(notNow)) {
                    return false;
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
        return false;
    }

    /** Starts the server again when it ends without having been told to, for as long as the hub runs. */
    private EmbeddedServer watched() {
        Thread watch = new Thread(this::keepRunning, "embedded-postgres-watch");
        watch.setDaemon(true);
        watch.start();
        return this;
    }

    private void keepRunning() {
        try {
            while (!closing) {
                if (runningOver(cluster).isEmpty()) {
                    revive();
                }
                TimeUnit.MILLISECONDS.sleep(WATCH_PERIOD_MILLIS);
            }
        } catch (IOException unreadable) {
            LOG.error("embedded PostgreSQL is no longer watched", unreadable);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void revive() throws IOException, InterruptedException {
        if (closing) {
            return;
        }
        LOG.error("embedded PostgreSQL ended by itself, starting it again log={}", log);
        Outcome started = launch();
        if (started.ok()) {
            LOG.info("embedded PostgreSQL runs again port={}", port);
        } else {
            LOG.error("embedded PostgreSQL does not start said={}", lastLines(started.output()));
        }
    }

    /**
     * What {@code postmaster.pid} says about the server of a cluster, and whether it is true.
     *
     * @param file the pid file: line 1 the pid, line 4 the port
     */
    record Postmaster(Path file, List<String> lines) {
        /** No process has this number: larger than the kernel's largest pid. */
        private static final String NOBODY = Integer.toString(1 << 30);

        static Optional<Postmaster> of(Path cluster) throws IOException {
            Path file = cluster.resolve("postmaster.pid");
            if (!Files.exists(file)) {
                return Optional.empty();
            }
            List<String> lines = Files.readAllLines(file);
            return lines.size() < 4 ? Optional.empty() : Optional.of(new Postmaster(file, lines));
        }

        long pid() {
            return Long.parseLong(lines.get(0).strip());
        }

        int port() {
            return Integer.parseInt(lines.get(3).strip());
        }

        /** The living server. Empty when the number belongs to nobody, or by now to another program. */
        Optional<ProcessHandle> process() {
            return ProcessHandle.of(pid()).filter(ProcessHandle::isAlive).filter(this::isServer);
        }

        private boolean isServer(ProcessHandle process) {
            Path commandLine = Path.of("/proc", Long.toString(process.pid()), "cmdline");
            try {
                List<String> words = List.of(
                        Files.readString(commandLine, StandardCharsets.UTF_8).split("\0", -1));
                return words.get(0).endsWith("/postgres")
                        && words.contains(file.getParent().toString());
            } catch (IOException goneMeanwhile) {
                return false;
            }
        }

        /**
         * After a crash the number may belong to another program, and PostgreSQL would then refuse to start. The rest
         * of the file stays: by it PostgreSQL finds out whether backends of the dead server still live.
         */
        void disown() throws IOException {
            List<String> corrected = new ArrayList<>(lines);
            corrected.set(0, NOBODY);
            Files.write(file, corrected);
        }
    }
}
