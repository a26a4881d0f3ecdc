package adapters;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import model.Family;

/**
 * The kinds of adapter that adapters.yaml knows: the providers of {@code schemes.yaml}, and what the hub itself reads.
 *
 * @param word the word in adapters.yaml
 * @param entrance how deliveries come in
 * @param sourcePrefix what {@code events.source} says in front of the adapter's name
 * @param defaultMaxBody bytes that a body may have when adapters.yaml does not say
 * @param defaultCondition when an adapter without {@code todos:} makes its one todo
 * @param entry the keys that adapters.yaml may hold for this type
 */
public record AdapterType(
        String word,
        Entrance entrance,
        String sourcePrefix,
        long defaultMaxBody,
        String defaultCondition,
        Class<? extends AdapterEntry> entry) {

    private static final long MIB = 1L << 20;
    private static final Map<String, AdapterType> ALL = new LinkedHashMap<>();

    static {
        Schemes.shipped().forEach((word, scheme) -> add(provider(word, scheme)));
    }

    /** A scheme that adapters.yaml describes: {@code POST /webhooks/<name>}, source {@code <name>}. */
    public static final AdapterType HMAC = add("hmac", Entrance.WEBHOOK, "", HmacEntry.class);
    /** Any sender that knows a token: {@code POST /webhooks/generic/<name>}, source {@code generic:<name>}. */
    public static final AdapterType GENERIC = add("generic", Entrance.GENERIC, "generic:", GenericEntry.class);
    /** A YAML route that ends in {@code intake:<name>}, source {@code route:<name>}. */
    public static final AdapterType ROUTE = add("route", Entrance.ROUTE, "route:", RouteEntry.class);
    /** Entries of a Redis stream, source {@code redis:<name>}. */
    public static final AdapterType REDIS_STREAM =
            add("redis-stream", Entrance.STREAM, "redis:", RedisStreamEntry.class);
    /** Elements of a Redis list, source {@code redis:<name>}. */
    public static final AdapterType REDIS_LIST = add("redis-list", Entrance.LIST, "redis:", RedisListEntry.class);
    /** Messages of a Redis channel, some of which may be lost, source {@code redis:<name>}. */
    public static final AdapterType REDIS_PUBSUB =
            add("redis-pubsub", Entrance.CHANNEL, "redis:", RedisPubSubEntry.class);

    /** How deliveries come in. */
    public enum Entrance {
        /** {@code POST /webhooks/<name>}. */
        WEBHOOK(Family.WEBHOOK),
        /** {@code POST /webhooks/generic/<name>}. */
        GENERIC(Family.WEBHOOK),
        ROUTE(Family.QUEUE),
        STREAM(Family.QUEUE),
        LIST(Family.QUEUE),
        CHANNEL(Family.QUEUE);

        private final Family family;

        Entrance(Family family) {
            this.family = family;
        }
    }

    private static AdapterType provider(String word, SchemeEntry scheme) {
        return new AdapterType(
                word,
                Entrance.WEBHOOK,
                "",
                scheme.maxBody() == null ? MIB : Quantity.bytes(scheme.maxBody()),
                scheme.withoutTodo() == null ? "true" : except(scheme.withoutTodo()),
                entry(scheme));
    }

    private static Class<? extends AdapterEntry> entry(SchemeEntry scheme) {
        if (!scheme.isProgram()) {
            return ProviderEntry.class;
        }
        return switch (scheme.program()) {
            case "sns" -> SnsEntry.class;
            case "paypal" -> PaypalEntry.class;
            case "jwt" -> JwtEntry.class;
            default -> throw new IllegalStateException("schemes.yaml: no program " + scheme.program());
        };
    }

    private static String except(List<String> eventTypes) {
        return eventTypes.stream().map(type -> "type != \"" + type + "\"").collect(Collectors.joining(" && "));
    }

    private static AdapterType add(
            String word, Entrance entrance, String sourcePrefix, Class<? extends AdapterEntry> entry) {
        return add(new AdapterType(word, entrance, sourcePrefix, MIB, "true", entry));
    }

    private static AdapterType add(AdapterType type) {
        ALL.put(type.word, type);
        return type;
    }

    /** All of them, in the order in which documents list them. */
    public static Collection<AdapterType> all() {
        return ALL.values();
    }

    /** The type of that word. */
    public static Optional<AdapterType> of(String word) {
        return Optional.ofNullable(ALL.get(word));
    }

    public Family family() {
        return entrance.family;
    }

    /** What {@code events.source} says for an adapter of this type and name. */
    public String source(String name) {
        return sourcePrefix + name;
    }
}
