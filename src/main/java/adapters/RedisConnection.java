package adapters;

import java.util.Locale;
import java.util.function.Function;
import model.TrustMode;
import verify.ClosedVerifier;

/** The connections to Redis as adapters.yaml names them, and the variables that hold their URLs. */
public final class RedisConnection {
    /** The connection of an adapter that names none. */
    public static final String DEFAULT = "default";

    /** What the hub's variables begin with. */
    static final String PREFIX = "SWITCHBOARD_REDIS_";

    private static final String URL = "URL";

    private RedisConnection() {}

    /** {@code SWITCHBOARD_REDIS_URL} of the default, {@code SWITCHBOARD_REDIS_AUDIT_LOG_URL} of {@code audit_log}. */
    public static String variable(String name) {
        return name.equals(DEFAULT) ? PREFIX + URL : PREFIX + name.toUpperCase(Locale.ROOT) + "_" + URL;
    }

    /** What vouches for an entry is the connection; no webhook comes in under the adapter's name. */
    static AdapterEntry.Gate gate(String adapter, String connection, Function<String, String> environment) {
        String variable = variable(orDefault(connection));
        String url = environment.apply(variable);
        return new AdapterEntry.Gate(
                new ClosedVerifier(adapter, TrustMode.QUEUE),
                url == null || url.isBlank() ? variable + " is not set" : null);
    }

    static String orDefault(String connection) {
        return connection == null ? DEFAULT : connection;
    }
}
