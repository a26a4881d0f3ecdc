package redis;

import org.apache.camel.Producer;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriPath;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.support.DefaultEndpoint;
import org.redisson.api.RedissonClient;
import pace.LogPace;

/** What all sources in Redis have: a key, and the connection that leads to it. */
abstract class RedisEndpoint extends DefaultEndpoint {
    private final Connections connections;

    @UriPath
    @Metadata(required = true, description = "What is read: a stream, a list or a channel")
    private final String key;

    @UriParam(
            defaultValue = Connections.DEFAULT,
            description =
                    "Name of the connection: default is SWITCHBOARD_REDIS_URL, another SWITCHBOARD_REDIS_<NAME>_URL")
    private String connection = Connections.DEFAULT;

    RedisEndpoint(String uri, DefaultComponent component, Connections connections, String key) {
        super(uri, component);
        this.connections = connections;
        this.key = key;
    }

    public String getKey() {
        return key;
    }

    public String getConnection() {
        return connection;
    }

    public void setConnection(String connection) {
        this.connection = connection;
    }

    RedissonClient client() {
        return connections.client(connection);
    }

    /** For what is wrong with the connection. */
    LogPace failures() {
        return connections.failures(connection);
    }

    RedisUrl url() {
        return connections.url(connection);
    }

    Connections connections() {
        return connections;
    }

    @Override
    public Producer createProducer() {
        throw new UnsupportedOperationException(
                "%s: is where routes begin; what it reads is added with redis-cli or any client of Redis"
                        .formatted(getEndpointUri().replaceFirst(":.*$", "")));
    }
}
