package redis;

import org.apache.camel.spi.annotations.Component;

/** {@code redis-list:<list>}; see {@link RedisListEndpoint}. */
@Component("redis-list")
public final class RedisListComponent extends RedisComponent {
    @Override
    RedisEndpoint endpoint(String uri, String key, Connections connections) {
        return new RedisListEndpoint(uri, this, connections, key);
    }
}
