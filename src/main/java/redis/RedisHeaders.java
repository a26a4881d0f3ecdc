package redis;

/**
 * Headers of exchanges that come from Redis. The fields of an entry are inside one header and never headers themselves:
 * whoever may add entries cannot steer a route.
 */
public final class RedisHeaders {
    /**
     * Identity of the entry, a text {@code <milliseconds>-<number>}: Redis's own for a stream, given when it was taken for a
     * list. The same whenever the entry is read again.
     */
    public static final String ENTRY_ID = "RedisEntryId";
    /** The stream, list or channel, a text. */
    public static final String KEY = "RedisKey";
    /** The connection's name, a text. */
    public static final String CONNECTION = "RedisConnection";
    /** Names and values of a stream's entry, a {@code Map<String, String>}; fields that are no UTF-8 are left out. */
    public static final String FIELDS = "RedisFields";
    /**
     * Why the body asked for could not be made, a text; there with {@code unreadable=event} only, and the body then is all of
     * the entry, as JSON.
     */
    public static final String UNREADABLE = "RedisUnreadable";

    private RedisHeaders() {}
}
