package redis;

import org.apache.camel.Exchange;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.support.DefaultComponent;

/** {@code redis-list:<list>}: elements, taken at the head, gone from Redis when their exchange is completed. */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "redis-list",
        title = "Redis list",
        syntax = "redis-list:key",
        consumerOnly = true)
public final class RedisListEndpoint extends FeedEndpoint {

    RedisListEndpoint(String uri, DefaultComponent component, Connections connections, String list) {
        super(uri, component, connections, list);
    }

    @Override
    Feed feed() {
        return new ListFeed(client(), getKey(), consumerName(), claimIdleTime());
    }

    @Override
    void fill(Exchange exchange, Entry entry) {
        exchange.getMessage().setBody(entry.element());
    }
}
