package redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.TrustManagerFactory;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.config.Config;
import org.redisson.config.EqualJitterDelay;
import org.redisson.config.SingleServerConfig;
import org.redisson.config.SslVerificationMode;
import pace.LogPace;

/**
 * The Redis servers that routes may name, and the name under which this node reads from them. A client is made when it
 * is first asked for, and connects when it is first used: a Redis that is away delays no start.
 */
public final class Connections implements AutoCloseable {
    /** The connection of whoever names none. */
    public static final String DEFAULT = "default";

    private static final int TIMEOUT_MILLIS = 3_000;
    /** One for each blocked read and some more; they are made when needed and given back when idle. */
    private static final int MOST_CONNECTIONS = 1_100;

    private final Map<String, RedisUrl> urls;
    private final String consumer;
    private final Map<String, RedissonClient> clients = new HashMap<>();
    private final Map<String, LogPace> failures = new HashMap<>();
    private boolean closed;

    /**
     * @param urls by name; {@link #DEFAULT} for whoever names none
     * @param consumer the name of this node among those that share the work; the same after a restart, and no other
     *     node's
     */
    public Connections(Map<String, RedisUrl> urls, String consumer) {
        this.urls = new TreeMap<>(urls);
        this.consumer = consumer;
    }

    /** The name of this node among those that share the work. */
    String consumer() {
        return consumer;
    }

    /** @throws IllegalArgumentException naming those that there are */
    RedisUrl url(String name) {
        RedisUrl url = urls.get(name);
        if (url == null) {
            throw new IllegalArgumentException("there is no Redis connection \"" + name + "\"; there "
                    + (urls.isEmpty() ? "is none" : "are " + urls.keySet()));
        }
        return url;
    }

    /** What vouches for what is read, for a person: {@code redis acl: deploy-bot}, and TLS where there is. */
    public String identity(String name) {
        RedisUrl url = url(name);
        return "redis acl: " + url.user().orElse("default") + (url.tls() ? "; tls" : "");
    }

    /** One for all that read over a connection: when it is lost, each of them has the same to say. */
    synchronized LogPace failures(String name) {
        return failures.computeIfAbsent(name, any -> new LogPace());
    }

    synchronized RedissonClient client(String name) {
        if (closed) {
            throw new IllegalStateException("the connections to Redis are closed");
        }
        return clients.computeIfAbsent(name, wanted -> connect(url(wanted)));
    }

    private static RedissonClient connect(RedisUrl url) {
        Config config = new Config();
        config.setLazyInitialization(true);
        config.setThreads(2);
        config.setNettyThreads(2);
        config.setCodec(ByteArrayCodec.INSTANCE);
        config.setUseScriptCache(true);
        SingleServerConfig server = config.useSingleServer()
                .setAddress(url.address())
                .setDatabase(url.database())
                .setConnectionMinimumIdleSize(1)
                .setConnectionPoolSize(MOST_CONNECTIONS)
                .setSubscriptionConnectionMinimumIdleSize(0)
                .setConnectTimeout(TIMEOUT_MILLIS)
                .setTimeout(TIMEOUT_MILLIS)
                .setKeepAlive(true)
                // whoever reads tries again, and must know that something failed to look at what is pending
                .setRetryAttempts(0)
                .setReconnectionDelay(new EqualJitterDelay(Duration.ofMillis(100), Duration.ofSeconds(2)))
                .setSslVerificationMode(SslVerificationMode.STRICT);
        url.user().ifPresent(server::setUsername);
        url.password().ifPresent(server::setPassword);
        url.ca().ifPresent(file -> server.setSslTrustManagerFactory(trusting(file)));
        return Redisson.create(config);
    }

    private static TrustManagerFactory trusting(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca-" + ++number, certificate);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            return factory;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("the certificates in " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** Ends every client; what reads through them has ended before. */
    @Override
    public synchronized void close() {
        closed = true;
        clients.values().forEach(client -> client.shutdown(0, TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
        clients.clear();
    }
}
