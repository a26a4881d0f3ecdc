package redis;

import org.apache.camel.spi.annotations.Component;

/** {@code redis-pubsub:<channel>}; see {@link RedisPubSubEndpoint}. */
@Component("redis-pubsub")
public final class RedisPubSubComponent extends RedisComponent {
    @Override
    RedisEndpoint endpoint(String uri, String key, Connections connections) {
        return new RedisPubSubEndpoint(uri, this, connections, key);
    }
}
