package redis;

import java.time.Duration;
import org.apache.camel.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.spi.UriParam;
import org.apache.camel.support.DefaultComponent;

/**
 * A source whose entries stay in Redis until the exchange is completed: one that completes is acknowledged; one that fails
 * for a reason of the entry's own is tried again and put aside in the end ({@link DeadLetters}); one that fails for another
 * reason stays, and nothing new is read until something gets through.
 */
abstract class FeedEndpoint extends RedisEndpoint {
    @UriParam(defaultValue = "100", description = "Most entries of a read")
    private int batch = 100;

    @UriParam(defaultValue = "512", description = "Most entries that are read and not yet acknowledged")
    private int maxInFlight = 512;

    @UriParam(
            defaultValue = "60000",
            javaType = "java.time.Duration",
            description =
                    "Milliseconds after which what a silent node holds is taken over by others; longer than an exchange takes")
    private long claimIdle = 60_000;

    @UriParam(defaultValue = "5", description = "Refusals of an entry's own data after which it is put aside")
    private int maxDeliveries = 5;

    @UriParam(
            description =
                    "Name of this node among those that share the work; the hub has one that is stable, and its own")
    private String consumer;

    FeedEndpoint(String uri, DefaultComponent component, Connections connections, String key) {
        super(uri, component, connections, key);
    }

    /** What is read, through a connection of this endpoint. */
    abstract Feed feed();

    /** Puts what was read into an exchange. */
    abstract void fill(Exchange exchange, Entry entry) throws Body.Unreadable;

    @Override
    public Consumer createConsumer(Processor processor) throws Exception {
        if (batch < 1 || maxInFlight < batch || maxDeliveries < 1 || claimIdle < 1) {
            throw new IllegalArgumentException(getEndpointUri()
                    + ": batch, maxDeliveries and claimIdle are 1 or more, and maxInFlight is not less than batch");
        }
        // a name that is not there is a mistake, not an outage
        url();
        FeedConsumer made = new FeedConsumer(this, processor);
        configureConsumer(made);
        return made;
    }

    String consumerName() {
        return consumer == null ? connections().consumer() : consumer;
    }

    Duration claimIdleTime() {
        return Duration.ofMillis(claimIdle);
    }

    public int getBatch() {
        return batch;
    }

    public void setBatch(int batch) {
        this.batch = batch;
    }

    public int getMaxInFlight() {
        return maxInFlight;
    }

    public void setMaxInFlight(int maxInFlight) {
        this.maxInFlight = maxInFlight;
    }

    public long getClaimIdle() {
        return claimIdle;
    }

    public void setClaimIdle(long claimIdle) {
        this.claimIdle = claimIdle;
    }

    public int getMaxDeliveries() {
        return maxDeliveries;
    }

    public void setMaxDeliveries(int maxDeliveries) {
        this.maxDeliveries = maxDeliveries;
    }

    public String getConsumer() {
        return consumer;
    }

    public void setConsumer(String consumer) {
        this.consumer = consumer;
    }
}
