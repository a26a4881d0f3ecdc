package pgevent;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** One connection that listens. Used by one thread, except {@link #abort}. */
final class Session implements AutoCloseable {
    private final Connection connection;
    private final PGConnection postgres;

    Session(Connection connection) throws SQLException {
        if (!(connection instanceof PGConnection itself)) {
            throw new SQLException(
                    "the DataSource hands out " + connection.getClass().getName()
                            + ", not pgjdbc's own connections: give the listener an unpooled PGSimpleDataSource");
        }
        this.connection = connection;
        this.postgres = itself;
    }

    /** Listens on all of them, in one round trip. Quoted, so that {@code Mixed_Case} is heard as it is sent. */
    void listen(List<String> channels) throws SQLException {
        List<String> statements = new ArrayList<>();
        for (String channel : channels) {
            statements.add("LISTEN " + postgres.escapeIdentifier(channel));
        }
        execute(String.join(";", statements));
    }

    /** What has arrived, as soon as something has; nothing when the time is over. */
    List<Notification> await(Duration longest) throws SQLException {
        PGNotification[] arrived = postgres.getNotifications((int) longest.toMillis());
        if (arrived == null) {
            return List.of();
        }
        return Arrays.stream(arrived)
                .map(each -> new Notification(each.getName(), each.getParameter()))
                .toList();
    }

    /** Asks for a sign of life; fails when none comes within the session's network timeout. */
    void beat() throws SQLException {
        execute("SELECT 1");
    }

    int backend() {
        return postgres.getBackendPID();
    }

    /** Closes the socket under whoever reads from it: the one way to end {@link #await} from another thread. */
    void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            throw new IllegalStateException("pgjdbc refused to abort its connection", e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
