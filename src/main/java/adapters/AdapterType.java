package adapters;

import model.Family;

/** The kinds of adapter that adapters.yaml knows. */
public enum AdapterType {
    /** Signed by GitHub: {@code POST /webhooks/<name>}, source {@code <name>}. */
    GITHUB("github", Family.WEBHOOK, "", 25L << 20, "type != \"ping\"", GithubEntry.class),
    /** Any sender that knows a token: {@code POST /webhooks/generic/<name>}, source {@code generic:<name>}. */
    GENERIC("generic", Family.WEBHOOK, "generic:", 1L << 20, "true", GenericEntry.class),
    /** A YAML route that ends in {@code intake:<name>}, source {@code route:<name>}. */
    ROUTE("route", Family.QUEUE, "route:", 1L << 20, "true", RouteEntry.class),
    /** Entries of a Redis stream, source {@code redis:<name>}. */
    REDIS_STREAM("redis-stream", Family.QUEUE, "redis:", 1L << 20, "true", RedisStreamEntry.class),
    /** Elements of a Redis list, source {@code redis:<name>}. */
    REDIS_LIST("redis-list", Family.QUEUE, "redis:", 1L << 20, "true", RedisListEntry.class),
    /** Messages of a Redis channel, some of which may be lost, source {@code redis:<name>}. */
    REDIS_PUBSUB("redis-pubsub", Family.QUEUE, "redis:", 1L << 20, "true", RedisPubSubEntry.class);

    private final String word;
    private final Family family;
    private final String sourcePrefix;
    private final long defaultMaxBody;
    private final String defaultCondition;
    private final Class<? extends AdapterEntry> entry;

    AdapterType(
            String word,
            Family family,
            String sourcePrefix,
            long defaultMaxBody,
            String defaultCondition,
            Class<? extends AdapterEntry> entry) {
        this.word = word;
        this.family = family;
        this.sourcePrefix = sourcePrefix;
        this.defaultMaxBody = defaultMaxBody;
        this.defaultCondition = defaultCondition;
        this.entry = entry;
    }

    /** The word in adapters.yaml. */
    public String word() {
        return word;
    }

    public Family family() {
        return family;
    }

    /** What {@code events.source} says for an adapter of this type and name. */
    public String source(String name) {
        return sourcePrefix + name;
    }

    /** Bytes that a body may have when adapters.yaml does not say. */
    long defaultMaxBody() {
        return defaultMaxBody;
    }

    /** When an adapter without {@code todos:} makes its one todo. */
    String defaultCondition() {
        return defaultCondition;
    }

    /** The keys that adapters.yaml may hold for this type. */
    Class<? extends AdapterEntry> entry() {
        return entry;
    }
}
