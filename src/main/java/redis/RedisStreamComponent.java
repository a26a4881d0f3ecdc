package redis;

import org.apache.camel.spi.annotations.Component;

/** {@code redis-stream:<stream>}; see {@link RedisStreamEndpoint}. */
@Component("redis-stream")
public final class RedisStreamComponent extends RedisComponent {
    @Override
    RedisEndpoint endpoint(String uri, String key, Connections connections) {
        return new RedisStreamEndpoint(uri, this, connections, key);
    }
}
