package hub;

import adapters.Nearest;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where a PostgreSQL is and how to enter it, read from a {@code postgres://}, {@code postgresql://} or
 * {@code jdbc:postgresql:} URL: user and password before the host or as parameters, percent-encoded; several hosts
 * separated by commas. Parameters are pgjdbc's, those that libpq writes differently are translated, and an unknown one
 * is an error. Never prints the password.
 */
public final class DatabaseUrl {
    private static final String JDBC = "jdbc:postgresql:";

    /** libpq's word for what pgjdbc calls otherwise. */
    private static final Map<String, String> LIBPQ = Map.of(
            "application_name", PGProperty.APPLICATION_NAME.getName(),
            "connect_timeout", PGProperty.CONNECT_TIMEOUT.getName(),
            "channel_binding", PGProperty.CHANNEL_BINDING.getName(),
            "target_session_attrs", PGProperty.TARGET_SERVER_TYPE.getName(),
            "dbname", PGProperty.PG_DBNAME.getName(),
            "password", PGProperty.PASSWORD.getName(),
            "user", PGProperty.USER.getName());

    private final Map<String, String> properties;

    private DatabaseUrl(Map<String, String> properties) {
        this.properties = Collections.unmodifiableMap(new TreeMap<>(properties));
    }

    /** @throws IllegalArgumentException saying which rule the text breaks, without quoting it */
    static DatabaseUrl parse(String text) {
        String rest = afterScheme(text);
        int query = rest.indexOf('?');
        String place = query < 0 ? rest : rest.substring(0, query);
        Map<String, String> properties = new HashMap<>();
        int at = place.lastIndexOf('@');
        if (at >= 0) {
            String login = place.substring(place.startsWith("//") ? 2 : 0, at);
            int colon = login.indexOf(':');
            properties.put(PGProperty.USER.getName(), decoded(colon < 0 ? login : login.substring(0, colon)));
            if (colon >= 0) {
                properties.put(PGProperty.PASSWORD.getName(), decoded(login.substring(colon + 1)));
            }
            place = "//" + place.substring(at + 1);
        }
        Properties parsed = Driver.parseURL(JDBC + place, new Properties());
        if (parsed == null) {
            throw new IllegalArgumentException("must name a host, a port that is a number and a database");
        }
        parsed.stringPropertyNames().forEach(name -> properties.put(name, parsed.getProperty(name)));
        if (query >= 0) {
            properties.putAll(parameters(rest.substring(query + 1)));
        }
        return new DatabaseUrl(properties);
    }

    /** The embedded server's address. */
    static DatabaseUrl loopback(int port, String database, String user, String password) {
        return new DatabaseUrl(Map.of(
                PGProperty.PG_HOST.getName(), "127.0.0.1",
                PGProperty.PG_PORT.getName(), Integer.toString(port),
                PGProperty.PG_DBNAME.getName(), database,
                PGProperty.USER.getName(), user,
                PGProperty.PASSWORD.getName(), password));
    }

    /** The same, but where the URL itself says nothing about a parameter, {@code value} holds. */
    DatabaseUrl or(PGProperty property, Object value) {
        Map<String, String> more = new HashMap<>(properties);
        more.putIfAbsent(property.getName(), value.toString());
        return new DatabaseUrl(more);
    }

    /** The same with {@code value}, whatever the URL says. */
    DatabaseUrl with(PGProperty property, Object value) {
        Map<String, String> more = new HashMap<>(properties);
        more.put(property.getName(), value.toString());
        return new DatabaseUrl(more);
    }

    boolean severalHosts() {
        return properties.getOrDefault(PGProperty.PG_HOST.getName(), "").contains(",");
    }

    PGSimpleDataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            for (Map.Entry<String, String> property : properties.entrySet()) {
                source.setProperty(property.getKey(), property.getValue());
            }
        } catch (SQLException unknown) {
            throw new IllegalStateException("a parameter that was checked is refused", unknown);
        }
        return source;
    }

    /** {@code postgres://user@host:port/database}: enough to recognise it by, nothing to enter it with. */
    @Override
    public String toString() {
        String[] hosts = properties
                .getOrDefault(PGProperty.PG_HOST.getName(), "localhost")
                .split(",");
        String[] ports =
                properties.getOrDefault(PGProperty.PG_PORT.getName(), "5432").split(",");
        StringBuilder place = new StringBuilder("postgres://");
        String user = properties.get(PGProperty.USER.getName());
        if (user != null) {
            place.append(URLEncoder.encode(user, StandardCharsets.UTF_8)).append('@');
        }
        for (int i = 0; i < hosts.length; i++) {
            place.append(i == 0 ? "" : ",").append(hosts[i]).append(':').append(ports[Math.min(i, ports.length - 1)]);
        }
        return place.append('/')
                .append(properties.getOrDefault(PGProperty.PG_DBNAME.getName(), user == null ? "" : user))
                .toString();
    }

    private static String afterScheme(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.startsWith(JDBC)) {
            return text.substring(JDBC.length());
        }
        for (String scheme : new String[] {"postgres:", "postgresql:"}) {
            if (lower.startsWith(scheme + "//")) {
                return text.substring(scheme.length());
            }
        }
        throw new IllegalArgumentException("must begin with postgres:// or jdbc:postgresql:");
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : query.split("&")) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String written = decoded(equals < 0 ? pair : pair.substring(0, equals));
                String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
                String name = LIBPQ.getOrDefault(written, written);
                if (PGProperty.forName(name) == null) {
                    throw new IllegalArgumentException("has a parameter that the PostgreSQL driver does not know: "
                            + written + ". Did you mean "
                            + Nearest.ofAll(
                                    written,
                                    Arrays.stream(PGProperty.values())
                                            .map(PGProperty::getName)
                                            .toList())
                            + "?");
                }
                parameters.put(name, name.equals(PGProperty.TARGET_SERVER_TYPE.getName()) ? serverType(value) : value);
            }
        }
        return parameters;
    }

    private static String serverType(String libpq) {
        return switch (libpq) {
            case "read-write", "primary" -> "primary";
            default -> libpq;
        };
    }

    /** Percent-decoding as in URIs: a plus is a plus. */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            throw new IllegalArgumentException(
                    "has a % that begins no percent-encoded character (write %25 for a % in a password)", notEncoded);
        }
    }
}
