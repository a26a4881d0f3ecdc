package hub;

import access.Vault;
import adapters.Nearest;
import adapters.RedisConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.Networks;
import net.Proxies;
import redis.RedisUrl;

/**
 * What an operator can set, each key once, with its unit and default: {@link Key} is the list, and
 * {@code docs/configuration.md} is held to it by a test.
 *
 * <p>Values come from the environment ({@code SWITCHBOARD_<KEY>}). An empty value is an unset one. Relative paths are
 * relative to the working folder. All problems are reported at once, and nothing that this class prints holds a secret.
 */
public final class HubConfig {
    /** Every environment variable of the hub begins with this; one that does and is no key is an error. */
    public static final String PREFIX = "SWITCHBOARD_";

    static final int OPERATOR_TOKEN_MIN_LENGTH = 32;
    private static final long MIB = 1L << 20;
    /** A quarter of it, the most that one adapter may hold, still takes a body of 25 MiB, GitHub's largest. */
    private static final long INTAKE_MAX_BYTES = 128 * MIB;

    /** What {@code connection: audit} asks for: {@code SWITCHBOARD_REDIS_AUDIT_URL}. */
    private static final Pattern NAMED_REDIS = Pattern.compile(PREFIX + "REDIS_([A-Z][A-Z0-9_]{0,63})_URL");

    private static final Pattern BYTES = Pattern.compile("(\\d{1,15})\\s*(|B|KiB|MiB|GiB)", Pattern.CASE_INSENSITIVE);

    /** One setting: what it means, in which unit, and what holds when it is not set. */
    public enum Key {
        DATABASE_URL(
                "the PostgreSQL (14 to 18) to use instead of the embedded one",
                "`postgres://user:password@host:port/database?sslmode=…` or `jdbc:postgresql:…`",
                "embedded PostgreSQL in the data folder"),
        LISTENER_URL(
                "a session connection for LISTEN, for when `SWITCHBOARD_DATABASE_URL` goes through a transaction pooler",
                "as `SWITCHBOARD_DATABASE_URL`",
                "the database's own URL"),
        DATABASE_WAIT(
                "how long a start waits for a database that does not answer; 0 tries once", "seconds", "for ever"),
        DATABASE_POOL_SIZE("connections in the pool, the listener's not counted", "1 to 1000", "10"),
        DATABASE_PROGRAMS(
                "where the embedded server's programs are unpacked (60 MB); several data folders may share it",
                "path of a folder",
                "`postgres-programs` in the data folder"),
        REDIS_URL(
                "the Redis (6.2 or newer, or Valkey) that adapters read from when they name no `connection`",
                "`redis://user:password@host:port/database`, or `rediss:` for TLS",
                "none: such adapters are off"),
        HTTP_HOST("the address to listen on; `0.0.0.0` is all of them", "host name or address", "127.0.0.1"),
        HTTP_PORT("the port to listen on; 0 takes a free one", "0 to 65535", "8080"),
        PUBLIC_URL(
                "where senders reach the hub when a proxy stands in front",
                "http or https URL",
                "the address it listens on"),
        TRUSTED_PROXIES(
                "proxies whose word on who calls, and at which address, is believed (`X-Forwarded-For`, `-Proto`, `-Host`,"
                        + " `Forwarded`)",
                "networks, parted by commas: `10.0.0.0/8, 2001:db8::/32`",
                "none: the other end of the connection is who calls"),
        ADAPTERS("what may come in and what becomes of it", "path of a YAML file", "./adapters.yaml"),
        ROUTES("Camel YAML routes of your own", "path of a folder", "./routes"),
        DATA_DIR("everything that the hub keeps on disk", "path of a folder", "./data"),
        OPERATOR_TOKEN(
                "the operator's credential; replaces the stored one at start",
                "at least 32 characters",
                "minted on the first start, kept in `operator.token` in the data folder"),
        SECRETS_KEY(
                "encrypts the providers' secrets of webhooks that are made over REST; without it none is taken",
                "32 bytes in base64, as `openssl rand -base64 32` makes them",
                "none"),
        COMMITTERS("transactions that write deliveries at the same time", "1 to 64", "2"),
        INTAKE_MAX_BYTES(
                "bodies held in memory until they are committed; beyond it senders are asked to come back (503)",
                "bytes, or a number with KiB, MiB, GiB",
                "128 MiB, or a quarter of the heap where that is less"),
        INTAKE_MAX_DELIVERIES("deliveries held in memory until they are committed", "1 to 1000000", "4096"),
        LOG_FORMAT("one line of text or one JSON object a fact", "`text` or `json`", "text"),
        LOG_LEVEL(
                "how much the hub's own packages say; `debug` also prints stack traces of failures",
                "`debug`, `info`, `warn` or `error`",
                "info");

        private final String meaning;
        private final String unit;
        private final String defaultText;

        Key(String meaning, String unit, String defaultText) {
            this.meaning = meaning;
            this.unit = unit;
            this.defaultText = defaultText;
        }

        /** The environment variable: {@code SWITCHBOARD_HTTP_PORT}. */
        public String variable() {
            return PREFIX + name();
        }

        /** What the setting is for, in a clause. */
        public String meaning() {
            return meaning;
        }

        /** Unit or form of the value, in Markdown. */
        public String unit() {
            return unit;
        }

        /** The default in words, in Markdown. */
        public String defaultText() {
            return defaultText;
        }

        /** True when the value may hold a secret and is never shown as it is. */
        public boolean secret() {
            return this == DATABASE_URL
                    || this == LISTENER_URL
                    || this == REDIS_URL
                    || this == OPERATOR_TOKEN
                    || this == SECRETS_KEY;
        }
    }

    /** How log lines look. */
    public enum LogFormat {
        TEXT,
        JSON
    }

    private final DatabaseUrl databaseUrl;
    private final DatabaseUrl listenerUrl;
    private final Duration databaseWait;
    private final int databasePoolSize;
    private final Path databasePrograms;
    private final Map<String, RedisUrl> redisUrls;
    private final String httpHost;
    private final int httpPort;
    private final URI publicUrl;
    private final Networks trustedProxies;
    private final Path adapters;
    private final Path routes;
    private final Path dataDir;
    private final String operatorToken;
    private final String secretsKey;
    private final int committers;
    private final long intakeMaxBytes;
    private final int intakeMaxDeliveries;
    private final LogFormat logFormat;
    private final String logLevel;
    private final Map<String, String> environment;
    private final Map<Key, String> given;

    private HubConfig(Map<String, String> environment) {
        Reader read = new Reader(environment);
        databaseUrl = read.value(Key.DATABASE_URL, DatabaseUrl::parse, () -> null);
        listenerUrl = read.value(Key.LISTENER_URL, DatabaseUrl::parse, () -> null);
        databaseWait = read.value(
                Key.DATABASE_WAIT, text -> Duration.ofSeconds(whole(text, 0, Integer.MAX_VALUE)), () -> null);
        databasePoolSize = read.value(Key.DATABASE_POOL_SIZE, text -> (int) whole(text, 1, 1000), () -> 10);
        redisUrls = read.redisUrls();
        httpHost = read.value(Key.HTTP_HOST, HubConfig::host, () -> "127.0.0.1");
        httpPort = read.value(Key.HTTP_PORT, text -> (int) whole(text, 0, 65535), () -> 8080);
        publicUrl = read.value(Key.PUBLIC_URL, HubConfig::httpUrl, () -> null);
        trustedProxies = read.value(
                Key.TRUSTED_PROXIES, text -> Networks.of(Arrays.asList(text.split(",", -1))), () -> Networks.NONE);
        adapters = read.value(Key.ADAPTERS, HubConfig::path, () -> Path.of("adapters.yaml"));
        routes = read.value(Key.ROUTES, HubConfig::path, () -> Path.of("routes"));
        dataDir = read.value(Key.DATA_DIR, HubConfig::path, () -> Path.of("data"));
        databasePrograms =
                read.value(Key.DATABASE_PROGRAMS, HubConfig::path, () -> dataDir.resolve("postgres-programs"));
        operatorToken = read.value(Key.OPERATOR_TOKEN, HubConfig::token, () -> null);
        secretsKey = read.value(Key.SECRETS_KEY, HubConfig::secretsKey, () -> null);
        committers = read.value(Key.COMMITTERS, text -> (int) whole(text, 1, 64), () -> 2);
        intakeMaxBytes = read.value(
                Key.INTAKE_MAX_BYTES,
                HubConfig::bytes,
                () -> Math.min(INTAKE_MAX_BYTES, Runtime.getRuntime().maxMemory() / 4));
        intakeMaxDeliveries =
                read.value(Key.INTAKE_MAX_DELIVERIES, text -> (int) whole(text, 1, 1_000_000), () -> 4096);
        logFormat = read.value(
                Key.LOG_FORMAT,
                text -> LogFormat.valueOf(oneOf(text, "text", "json").toUpperCase(Locale.ROOT)),
                () -> LogFormat.TEXT);
        logLevel = read.value(Key.LOG_LEVEL, text -> oneOf(text, "debug", "info", "warn", "error"), () -> "info");
        read.failOnProblems();
        this.environment = Map.copyOf(environment);
        this.given = read.given;
    }

    /**
     * Reads the whole environment: the {@code SWITCHBOARD_*} keys are settings, the rest is what
     * <code>{{env:NAME}}</code> in adapters.yaml may ask for.
     *
     * @throws StartFailure naming every problem, an unknown key together with the nearest known one
     */
    public static HubConfig from(Map<String, String> environment) {
        return new HubConfig(environment);
    }

    /** A configuration made in code, by the same path as one from the environment. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects settings by key; {@link #build} checks them as {@link HubConfig#from} does. */
    public static final class Builder {
        private final Map<String, String> environment = new HashMap<>();

        private Builder() {}

        public Builder set(Key key, Object value) {
            environment.put(key.variable(), value.toString());
            return this;
        }

        /** A variable for <code>{{env:NAME}}</code> in adapters.yaml. */
        public Builder variable(String name, String value) {
            environment.put(name, value);
            return this;
        }

        public HubConfig build() {
            return from(environment);
        }
    }

    /** Empty: the embedded server. */
    public Optional<DatabaseUrl> databaseUrl() {
        return Optional.ofNullable(databaseUrl);
    }

    /** Empty: LISTEN runs where everything else does. */
    public Optional<DatabaseUrl> listenerUrl() {
        return Optional.ofNullable(listenerUrl);
    }

    /** Empty: for ever. */
    public Optional<Duration> databaseWait() {
        return Optional.ofNullable(databaseWait);
    }

    public int databasePoolSize() {
        return databasePoolSize;
    }

    public Path databasePrograms() {
        return databasePrograms;
    }

    /** By the name that {@code connection:} gives, {@code default} for {@link Key#REDIS_URL}; empty without any. */
    public Map<String, RedisUrl> redisUrls() {
        return redisUrls;
    }

    public String httpHost() {
        return httpHost;
    }

    public int httpPort() {
        return httpPort;
    }

    /** Empty: the address that the hub listens on. */
    public Optional<URI> publicUrl() {
        return Optional.ofNullable(publicUrl);
    }

    /** Tells who calls, and at which address. */
    public Proxies proxies() {
        return new Proxies(trustedProxies, publicUrl());
    }

    public Path adapters() {
        return adapters;
    }

    public Path routes() {
        return routes;
    }

    public Path dataDir() {
        return dataDir;
    }

    /** Where a minted operator credential stands, mode 0600. */
    public Path operatorTokenFile() {
        return dataDir.resolve("operator.token");
    }

    /** The key for providers' secrets, as {@link Vault} takes it. */
    public Optional<String> secretsKey() {
        return Optional.ofNullable(secretsKey);
    }

    public Optional<String> operatorToken() {
        return Optional.ofNullable(operatorToken);
    }

    public int committers() {
        return committers;
    }

    public long intakeMaxBytes() {
        return intakeMaxBytes;
    }

    public int intakeMaxDeliveries() {
        return intakeMaxDeliveries;
    }

    public LogFormat logFormat() {
        return logFormat;
    }

    /** {@code debug}, {@code info}, {@code warn} or {@code error}. */
    public String logLevel() {
        return logLevel;
    }

    /** All variables, settings included, for <code>{{env:NAME}}</code> in adapters.yaml. Holds secrets. */
    public Map<String, String> environment() {
        return environment;
    }

    /** The settings that were given, secrets hidden. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("HubConfig[");
        String comma = "";
        for (Map.Entry<Key, String> setting : given.entrySet()) {
            text.append(comma).append(setting.getKey()).append('=').append(shown(setting.getKey(), setting.getValue()));
            comma = ", ";
        }
        return text.append(']').toString();
    }

    private String shown(Key key, String value) {
        return switch (key) {
            case DATABASE_URL -> databaseUrl.toString();
            case LISTENER_URL -> listenerUrl.toString();
            case REDIS_URL -> redisUrls.get(RedisConnection.DEFAULT).toString();
            case OPERATOR_TOKEN -> "«redacted»";
            default -> value;
        };
    }

    /** Reads value after value, keeps what is wrong, and says it all at the end. */
    private static final class Reader {
        private final Map<Key, String> given = new EnumMap<>(Key.class);
        private final Map<String, String> namedRedis = new TreeMap<>();
        private final List<String> problems = new ArrayList<>();

        Reader(Map<String, String> environment) {
            new TreeMap<>(environment).forEach((variable, value) -> {
                Matcher redis = NAMED_REDIS.matcher(variable);
                if (redis.matches()) {
                    namedRedis.put(redis.group(1).toLowerCase(Locale.ROOT), value.strip());
                } else if (variable.startsWith(PREFIX)) {
                    known(variable)
                            .ifPresentOrElse(
                                    key -> keep(key, value),
                                    () -> problems.add(variable + " is no setting of the hub. Did you mean "
                                            + nearest(variable) + "?"));
                }
            });
        }

        private static Optional<Key> known(String variable) {
            return Arrays.stream(Key.values())
                    .filter(key -> key.variable().equals(variable))
                    .findFirst();
        }

        private static String nearest(String variable) {
            return Nearest.ofAll(
                    variable, Arrays.stream(Key.values()).map(Key::variable).toList());
        }

        private void keep(Key key, String value) {
            if (!value.isBlank()) {
                given.put(key, value.strip());
            }
        }

        <T> T value(Key key, Function<String, T> parse, Supplier<T> otherwise) {
            String text = given.get(key);
            if (text == null) {
                return otherwise.get();
            }
            try {
                return parse.apply(text);
            } catch (IllegalArgumentException unfit) {
                String shown = key.secret() ? "" : " (it is '" + text + "')";
                problems.add(key.variable() + " " + unfit.getMessage() + shown);
                return otherwise.get();
            }
        }

        Map<String, RedisUrl> redisUrls() {
            Map<String, RedisUrl> urls = new TreeMap<>();
            RedisUrl unnamed = value(Key.REDIS_URL, RedisUrl::parse, () -> null);
            if (unnamed != null) {
                urls.put(RedisConnection.DEFAULT, unnamed);
            }
            namedRedis.forEach((name, text) -> {
                try {
                    if (!text.isEmpty()) {
                        urls.put(name, RedisUrl.parse(text));
                    }
                } catch (IllegalArgumentException unfit) {
                    problems.add(RedisConnection.variable(name) + " " + unfit.getMessage());
                }
            });
            return urls;
        }

        void failOnProblems() {
            if (!problems.isEmpty()) {
                throw StartFailure.of("configuration", problems);
            }
        }
    }

    private static long whole(String text, long least, long most) {
        OptionalLong number = number(text);
        if (number.isEmpty() || number.getAsLong() < least || number.getAsLong() > most) {
            throw new IllegalArgumentException("must be a whole number from " + least + " to " + most);
        }
        return number.getAsLong();
    }

    private static OptionalLong number(String text) {
        return text.matches("-?\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    private static long bytes(String text) {
        Matcher matcher = BYTES.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("must be a number of bytes, or one with KiB, MiB or GiB");
        }
        int shift = switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
            case "kib" -> 10;
            case "mib" -> 20;
            case "gib" -> 30;
            default -> 0;
        };
        long count = Long.parseLong(matcher.group(1));
        if (count > (Long.MAX_VALUE >> shift) || count << shift < MIB) {
            throw new IllegalArgumentException("must be 1 MiB or more, and fit in 63 bits");
        }
        return count << shift;
    }

    private static String host(String text) {
        if (!text.matches("[A-Za-z0-9._:%-]+")) {
            throw new IllegalArgumentException("must be a host name or an address, without scheme or port");
        }
        return text;
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException notOne) {
            throw new IllegalArgumentException("must be a path: " + notOne.getReason(), notOne);
        }
    }

    private static String token(String text) {
        if (text.length() < OPERATOR_TOKEN_MIN_LENGTH) {
            throw new IllegalArgumentException(
                    "must have at least " + OPERATOR_TOKEN_MIN_LENGTH + " characters, has " + text.length());
        }
        if (!text.matches("[!-~]+")) {
            throw new IllegalArgumentException("must be printable ASCII without spaces: it travels in an HTTP header");
        }
        return text;
    }

    private static String secretsKey(String text) {
        if (Vault.of(text).isEmpty()) {
            throw new IllegalArgumentException("must be 32 bytes in base64: openssl rand -base64 32 makes some");
        }
        return text;
    }

    private static URI httpUrl(String text) {
        String rule = "must be an absolute http:// or https:// URL with a host, without query or user";
        try {
            URI url = new URI(text);
            boolean http = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
            if (!http || url.getHost() == null || url.getRawQuery() != null || url.getRawUserInfo() != null) {
                throw new IllegalArgumentException(rule);
            }
            return url;
        } catch (URISyntaxException notOne) {
            throw new IllegalArgumentException(rule, notOne);
        }
    }

    private static String oneOf(String text, String... words) {
        String word = text.toLowerCase(Locale.ROOT);
        if (!Arrays.asList(words).contains(word)) {
            throw new IllegalArgumentException("must be one of " + String.join(", ", words));
        }
        return word;
    }
}
