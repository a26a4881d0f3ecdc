package hub;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.postgresql.PGProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one record of everything: a PostgreSQL that does not lie about commits, migrated to this hub's schema. Embedded by
 * default ({@link EmbeddedServer}, unpacked by {@link ServerPrograms}, guarded by {@link HubLock}), or the one that
 * {@code SWITCHBOARD_DATABASE_URL} names ({@link DatabaseUrl}).
 *
 * <p>A server whose {@code fsync} is off is refused, and every connection has {@code synchronous_commit} at {@code on}
 * or above; both are read back from the server, not assumed.
 *
 * <p>This class and those named here are the only ones outside of Flyway and {@code pgevent} that touch
 * {@code java.sql}.
 */
public final class Database implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);

    private static final int OLDEST_MAJOR = 14;
    private static final int NEWEST_MAJOR = 18;
    private static final Duration NOTABLE_SKEW = Duration.ofSeconds(2);
    private static final int CONNECT_TIMEOUT_SECONDS = 3;
    private static final int SOCKET_TIMEOUT_SECONDS = 10;

    /** Less than {@code on}: a commit is answered before it is safe on every server that it must reach. */
    private static final Set<String> WEAK_COMMITS = Set.of("off", "local", "remote_write");

    /** Raises what is weaker than {@code on} and touches nothing else: {@code remote_apply} stays. */
    private static final String RAISE_SYNCHRONOUS_COMMIT = """
            SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
            """;

    /**
     * What the server said about itself at start.
     *
     * @param version as the server writes it: {@code 18.1}
     * @param embedded whether the hub brought it along
     * @param url where it is, without the password
     * @param synchronousCommit the level that this hub's commits have: {@code on} or above
     * @param clockSkew the database's clock minus ours; the database's is the one that counts
     */
    public record Facts(String version, boolean embedded, String url, String synchronousCommit, Duration clockSkew) {}

    private final Optional<HubLock> lock;
    private final Optional<EmbeddedServer> server;
    private final HikariDataSource pool;
    private final DataSource listener;
    private final Facts facts;

    private Database(
            Optional<HubLock> lock,
            Optional<EmbeddedServer> server,
            HikariDataSource pool,
            DataSource listener,
            Facts facts) {
        this.lock = lock;
        this.server = server;
        this.pool = pool;
        this.listener = listener;
        this.facts = facts;
    }

    /**
     * Starts, adopts or finds the database, waits for it as long as the configuration says, checks and migrates it.
     *
     * @throws StartFailure naming what stands in the way and what to do about it; nothing is left running then
     */
    public static Database open(HubConfig config) {
        return config.databaseUrl()
                .map(url -> opened(config, url, Optional.empty(), Optional.empty()))
                .orElseGet(() -> openEmbedded(config));
    }

    /**
     * The database of a hub that may be running, for a command beside it: an embedded server that runs is entered and
     * left running, one that does not run is started and stopped with {@link #close}.
     */
    public static Database openBeside(HubConfig config) {
        if (config.databaseUrl().isPresent()) {
            return open(config);
        }
        try {
            Path folder = folder(config);
            return HubLock.isHeld(folder)
                    ? opened(config, EmbeddedServer.urlOfRunning(folder), Optional.empty(), Optional.empty())
                    : openEmbedded(config);
        } catch (IOException failed) {
            throw unusable(config, failed);
        }
    }

    private static Database openEmbedded(HubConfig config) {
        HubLock lock = null;
        EmbeddedServer server = null;
        try {
            Path folder = folder(config);
            lock = HubLock.take(folder);
            server = EmbeddedServer.start(folder, config.databasePrograms());
            return opened(config, server.url(), Optional.of(lock), Optional.of(server));
        } catch (IOException failed) {
            release(lock, server);
            throw unusable(config, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            release(lock, server);
            throw new StartFailure("interrupted while the embedded PostgreSQL started", interrupted);
        } catch (RuntimeException failed) {
            release(lock, server);
            throw failed;
        }
    }

    private static Path folder(HubConfig config) throws IOException {
        return Files.createDirectories(config.dataDir()).toRealPath();
    }

    static StartFailure unusable(HubConfig config, IOException failed) {
        return new StartFailure(
                "data folder " + config.dataDir().toAbsolutePath() + " cannot be used: "
                        + failed.getClass().getSimpleName() + " " + failed.getMessage()
                        + ". Choose another with " + HubConfig.Key.DATA_DIR.variable()
                        + ", or another database with " + HubConfig.Key.DATABASE_URL.variable(),
                failed);
    }

    private static Database opened(
            HubConfig config, DatabaseUrl given, Optional<HubLock> lock, Optional<EmbeddedServer> server) {
        DatabaseUrl url = tuned(given);
        boolean embedded = config.databaseUrl().isEmpty();
        Facts facts = awaited(url, embedded, config.databaseWait());
        migrate(url);
        HikariDataSource pool = pool(url, config.databasePoolSize());
        try {
            DataSource listener = tuned(config.listenerUrl().orElse(given)).dataSource();
            Facts effective = effective(pool, facts);
            LOG.info(
                    "database ready version={} embedded={} url={} synchronous_commit={} clock_skew_ms={}",
                    effective.version(),
                    effective.embedded(),
                    effective.url(),
                    effective.synchronousCommit(),
                    effective.clockSkew().toMillis());
            return new Database(lock, server, pool, listener, effective);
        } catch (RuntimeException failed) {
            pool.close();
            throw failed;
        }
    }

    /** What every connection has, unless the URL itself says otherwise: a host that falls silent frees its threads. */
    private static DatabaseUrl tuned(DatabaseUrl url) {
        DatabaseUrl tuned = url.or(PGProperty.TCP_KEEP_ALIVE, true)
                .or(PGProperty.CONNECT_TIMEOUT, CONNECT_TIMEOUT_SECONDS)
                .or(PGProperty.SOCKET_TIMEOUT, SOCKET_TIMEOUT_SECONDS)
                .or(PGProperty.APPLICATION_NAME, "switchboard")
                .or(PGProperty.PREPARE_THRESHOLD, 1);
        return tuned.severalHosts() ? tuned.or(PGProperty.TARGET_SERVER_TYPE, "primary") : tuned;
    }

    private static HikariDataSource pool(DatabaseUrl url, int size) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("switchboard");
        config.setDataSource(url.dataSource());
        config.setMaximumPoolSize(size);
        config.setAutoCommit(true);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setConnectionInitSql(RAISE_SYNCHRONOUS_COMMIT);
        config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(CONNECT_TIMEOUT_SECONDS));
        config.setValidationTimeout(TimeUnit.SECONDS.toMillis(2));
        return new HikariDataSource(config);
    }

    /** Connections for every {@code sql:} step: autocommit, READ COMMITTED, safe commits. */
    public HikariDataSource pool() {
        return pool;
    }

    /** Fresh, unpooled session connections for LISTEN. */
    public DataSource listener() {
        return listener;
    }

    public Facts facts() {
        return facts;
    }

    /** The pool first, the embedded server last. */
    @Override
    public void close() {
        pool.close();
        release(lock.orElse(null), server.orElse(null));
    }

    private static void release(HubLock lock, EmbeddedServer server) {
        if (server != null) {
            server.close();
        }
        if (lock != null) {
            try {
                lock.close();
            } catch (IOException failed) {
                LOG.warn("hub.lock was not closed", failed);
            }
        }
    }

    // --- what the server says about itself -----------------------------------------------------------------------

    private static Facts awaited(DatabaseUrl url, boolean embedded, Optional<Duration> wait) {
        long start = System.nanoTime();
        while (true) {
            try {
                return asked(url, embedded);
            } catch (SQLException failed) {
                Duration waited = Duration.ofNanos(System.nanoTime() - start);
                String reason = reason(failed);
                if (!isTransient(failed)) {
                    throw new StartFailure("database " + url + ": " + reason, failed);
                }
                if (wait.isPresent() && waited.compareTo(wait.get()) >= 0) {
                    throw new StartFailure(
                            "database " + url + " does not answer: " + reason + " (waited " + waited.toSeconds()
                                    + " s, " + HubConfig.Key.DATABASE_WAIT.variable() + "="
                                    + wait.get().toSeconds() + ")",
                            failed);
                }
                LOG.warn(
                        "database does not answer, trying again: {} url={} waited_s={}",
                        reason,
                        url,
                        waited.toSeconds());
                pause();
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.SECONDS.sleep(1);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StartFailure("interrupted while waiting for the database", interrupted);
        }
    }

    /** Down, starting, stopping or out of connections: worth another try. A wrong password is not. */
    static boolean isTransient(SQLException failed) {
        String state = failed.getSQLState();
        return state != null && (state.startsWith("08") || state.startsWith("57P") || state.equals("53300"));
    }

    private static String reason(SQLException failed) {
        Throwable root = failed;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = failed.getMessage().lines().findFirst().orElse("");
        return root == failed
                ? message
                : message + " (" + root.getClass().getSimpleName() + ": " + root.getMessage() + ")";
    }

    private static Facts asked(DatabaseUrl url, boolean embedded) throws SQLException {
        try (Connection connection = url.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            Instant before = Instant.now();
            try (ResultSet row = statement.executeQuery("""
                    SELECT clock_timestamp() AS now,
                           current_setting('server_version') AS version,
                           current_setting('server_version_num')::int / 10000 AS major,
                           current_setting('server_encoding') AS encoding,
                           current_setting('fsync') AS fsync,
                           current_setting('synchronous_commit') AS synchronous_commit,
                           current_setting('transaction_read_only') AS read_only,
                           pg_is_in_recovery() AS in_recovery
                    """)) {
                row.next();
                Instant after = Instant.now();
                new Server(
                                row.getInt("major"),
                                row.getString("encoding"),
                                row.getBoolean("in_recovery"),
                                row.getString("read_only").equals("on"),
                                row.getString("fsync").equals("on"))
                        .objection()
                        .ifPresent(why -> {
                            throw new StartFailure("database " + url + " is refused: " + why);
                        });
                Instant middle = before.plus(Duration.between(before, after).dividedBy(2));
                Duration skew = Duration.between(
                        middle, row.getObject("now", OffsetDateTime.class).toInstant());
                report(skew);
                return new Facts(
                        row.getString("version"), embedded, url.toString(), row.getString("synchronous_commit"), skew);
            }
        }
    }

    /** What decides whether a server can be the record of everything. */
    record Server(int major, String encoding, boolean inRecovery, boolean readOnly, boolean fsync) {
        Optional<String> objection() {
            if (major < OLDEST_MAJOR || major > NEWEST_MAJOR) {
                return Optional.of(
                        "it is PostgreSQL " + major + ", the hub runs on " + OLDEST_MAJOR + " to " + NEWEST_MAJOR);
            }
            if (!encoding.equals("UTF8")) {
                return Optional.of("its encoding is " + encoding
                        + ", the hub needs UTF8 (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0)");
            }
            if (inRecovery) {
                return Optional.of("it is a standby (in recovery): name the primary");
            }
            if (readOnly) {
                return Optional.of("it is read-only (default_transaction_read_only): the hub must write");
            }
            if (!fsync) {
                return Optional.of("fsync is off, so it would lose commits that were answered: set fsync = on");
            }
            return Optional.empty();
        }
    }

    private static void report(Duration skew) {
        if (skew.abs().compareTo(NOTABLE_SKEW) > 0) {
            LOG.warn(
                    "the database's clock differs from this machine's; leases and retention go by the database's clock_skew_ms={}",
                    skew.toMillis());
        }
    }

    /** Reads back what a pooled connection really has: promise 1 hangs on it. */
    private static Facts effective(HikariDataSource pool, Facts facts) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT current_setting('synchronous_commit'),"
                        + " current_setting('transaction_isolation'), current_setting('fsync')")) {
            row.next();
            String synchronousCommit = row.getString(1);
            if (WEAK_COMMITS.contains(synchronousCommit)
                    || !row.getString(2).equals("read committed")
                    || !row.getString(3).equals("on")) {
                throw new StartFailure("database " + facts.url() + " is refused: connections have synchronous_commit="
                        + synchronousCommit + ", transaction_isolation=" + row.getString(2) + ", fsync="
                        + row.getString(3) + "; needed are on, read committed, on. Behind a pooler set them with ALTER"
                        + " ROLE (docs/operating.md)");
            }
            if (!synchronousCommit.equals(facts.synchronousCommit())) {
                LOG.warn(
                        "synchronous_commit was raised for this hub's sessions; set it for its role (docs/operating.md) from={} to={}",
                        facts.synchronousCommit(),
                        synchronousCommit);
            }
            return new Facts(facts.version(), facts.embedded(), facts.url(), synchronousCommit, facts.clockSkew());
        } catch (SQLException failed) {
            throw new StartFailure("database " + facts.url() + ": " + reason(failed), failed);
        }
    }

    /** One node migrates, the others wait for it; a statement may take as long as it needs. */
    private static void migrate(DatabaseUrl url) {
        try {
            Flyway.configure()
                    .dataSource(url.with(PGProperty.SOCKET_TIMEOUT, 0).dataSource())
                    .locations("classpath:db/migration")
                    .lockRetryCount(-1)
                    .loggers("slf4j")
                    .load()
                    .migrate();
        } catch (FlywayException failed) {
            throw new StartFailure(
                    "database " + url + " cannot be migrated: "
                            + failed.getMessage().strip(),
                    failed);
        }
    }
}
