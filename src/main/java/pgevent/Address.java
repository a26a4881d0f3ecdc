package pgevent;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The path of an endpoint. camel-pgevent matches the whole URI greedily, so that a slash in a password moves the channel;
 * this looks at the path alone.
 *
 * @param host null in the form that names a DataSource
 * @param database in that form, the name that stands for it
 */
record Address(String host, int port, String database, String channel) {
    private static final int DEFAULT_PORT = 5432;
    private static final Pattern NAMED = Pattern.compile("(?<database>[^/]+)/(?<channel>[^/]+)");
    private static final Pattern STOCK =
            Pattern.compile("(?<host>\\[[^]/]+]|[^:/]*)(:(?<port>\\d{1,5}))?/(?<database>[^/]+)/(?<channel>[^/]+)");

    static Address parse(String path) {
        Matcher named = NAMED.matcher(path);
        if (named.matches()) {
            return new Address(null, DEFAULT_PORT, named.group("database"), named.group("channel"));
        }
        Matcher stock = STOCK.matcher(path);
        if (!stock.matches()) {
            throw new IllegalArgumentException("pgevent: '" + path
                    + "' is neither <name>/<channel> (with datasource=#bean) nor //host:port/database/channel");
        }
        String host = stock.group("host").isEmpty() ? "localhost" : stock.group("host");
        int port = stock.group("port") == null ? DEFAULT_PORT : Integer.parseInt(stock.group("port"));
        return new Address(host, port, stock.group("database"), stock.group("channel"));
    }

    void applyTo(ListenEndpoint endpoint) {
        if (host == null && endpoint.getDatasource() == null) {
            throw new IllegalArgumentException(
                    "pgevent:%s/%s names a DataSource: say which with datasource=#bean".formatted(database, channel));
        }
        endpoint.setHost(host);
        endpoint.setPort(port);
        endpoint.setDatabase(database);
        endpoint.setChannel(channel);
    }
}
