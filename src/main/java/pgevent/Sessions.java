package pgevent;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Opens sessions outside any pool, and sees to it that no wait on one is without end: a peer that accepts and then says
 * nothing would hold the listener for ever.
 */
final class Sessions {
    /** How long a peer may take to accept, and to answer anything afterwards. */
    private static final int SECONDS_TO_ANSWER = 3;

    private static final String APPLICATION_NAME = "switchboard-listen";

    private final DataSource dataSource;

    Sessions(DataSource dataSource) {
        if (dataSource instanceof AutoCloseable) {
            throw new IllegalArgumentException(
                    "pgevent: %s is a pool, and a pooled connection cannot carry LISTEN; give an unpooled DataSource, for example a PGSimpleDataSource"
                            .formatted(dataSource.getClass().getName()));
        }
        this.dataSource = dataSource instanceof PGSimpleDataSource simple ? bounded(simple) : dataSource;
    }

    /** A new session that can be listened on. */
    Session open() throws SQLException {
        Connection connection = connect();
        try {
            return new Session(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Sends one NOTIFY over a session that is opened and closed for it. */
    void announce(Notification notification) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement notify = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            notify.setString(1, notification.channel());
            notify.setString(2, notification.payload());
            notify.execute();
        }
    }

    private Connection connect() throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            connection.setNetworkTimeout(Runnable::run, SECONDS_TO_ANSWER * 1000);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** A copy that keeps every option that was set, because the one we were given may serve others too. */
    private static DataSource bounded(PGSimpleDataSource given) {
        PGSimpleDataSource copy = new PGSimpleDataSource();
        try {
            copy.initializeFrom(given);
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalArgumentException("pgevent: the DataSource cannot be copied: " + e.getMessage(), e);
        }
        setUnlessSet(copy, PGProperty.CONNECT_TIMEOUT, Integer.toString(SECONDS_TO_ANSWER));
        setUnlessSet(copy, PGProperty.SOCKET_TIMEOUT, Integer.toString(SECONDS_TO_ANSWER));
        setUnlessSet(copy, PGProperty.TCP_KEEP_ALIVE, "true");
        setUnlessSet(copy, PGProperty.APPLICATION_NAME, APPLICATION_NAME);
        return copy;
    }

    private static void setUnlessSet(PGSimpleDataSource dataSource, PGProperty property, String value) {
        String set = dataSource.getProperty(property);
        if (set == null || set.equals(property.getDefaultValue())) {
            dataSource.setProperty(property, value);
        }
    }
}
