package redis;

import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.support.DefaultComponent;

/**
 * {@code redis-pubsub:<channel>?loss=accepted}: messages as they are published. Redis keeps none: what is published while
 * nobody listens, or faster than it is taken, is lost, and each node gets its own copy. Hence the option, without which
 * there is no such endpoint.
 */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "redis-pubsub",
        title = "Redis pub/sub",
        syntax = "redis-pubsub:key",
        consumerOnly = true)
public final class RedisPubSubEndpoint extends RedisEndpoint {
    private static final String ACCEPTED = "accepted";

    @UriParam(enums = ACCEPTED, description = "accepted: messages may be lost, and every node gets each of them")
    @Metadata(required = true)
    private String loss;

    @UriParam(defaultValue = "512", description = "Most messages on their way; more are dropped and counted")
    private int maxInFlight = 512;

    RedisPubSubEndpoint(String uri, DefaultComponent component, Connections connections, String channel) {
        super(uri, component, connections, channel);
    }

    @Override
    public Consumer createConsumer(Processor processor) throws Exception {
        if (!ACCEPTED.equals(loss)) {
            throw new IllegalArgumentException("redis-pubsub:" + getKey()
                    + ": Redis keeps no messages: what is published while nobody listens is lost. Say loss=accepted, or use"
                    + " redis-stream or redis-list");
        }
        // a name that is not there is a mistake, not an outage
        url();
        PubSubConsumer made = new PubSubConsumer(this, processor);
        configureConsumer(made);
        return made;
    }

    public String getLoss() {
        return loss;
    }

    public void setLoss(String loss) {
        this.loss = loss;
    }

    public int getMaxInFlight() {
        return maxInFlight;
    }

    public void setMaxInFlight(int maxInFlight) {
        this.maxInFlight = maxInFlight;
    }
}
