package adapters;

import java.util.Locale;

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

    static String orDefault(String connection) {
        return connection == null ? DEFAULT : connection;
    }
}
