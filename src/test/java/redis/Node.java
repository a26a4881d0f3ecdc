package redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.AsyncProcessorSupport;

/** A node with one route that begins at a source in Redis; what arrives is kept, and decided by the test. */
final class Node implements AutoCloseable {
    private static final String ROUTE = "under-test";

    private final CamelContext context = new DefaultCamelContext();
    private final List<Arrived> arrived = new CopyOnWriteArrayList<>();
    private volatile Function<Exchange, Exception> verdict = exchange -> null;
    private final Connections connections;
    private volatile boolean holding;

    /** An exchange whose end may still be open. */
    record Arrived(Exchange exchange, AsyncCallback callback) {
        String id() {
            return exchange.getMessage().getHeader(RedisHeaders.ENTRY_ID, String.class);
        }

        String text() {
            return exchange.getMessage().getBody(String.class);
        }

        void complete() {
            callback.done(false);
        }

        void fail(Exception failure) {
            exchange.setException(failure);
            callback.done(false);
        }
    }

    private Node(String name, String url) {
        connections = new Connections(Map.of(Connections.DEFAULT, RedisUrl.parse(url)), name);
        context.getRegistry().bind("redis", connections);
        // what a test holds never ends
        context.getShutdownStrategy().setTimeout(1);
    }

    /** A node that is not started yet. */
    static Node named(String name, String url) {
        return new Node(name, url);
    }

    /** How exchanges end: with null well, else with that failure. */
    Node deciding(Function<Exchange, Exception> how) {
        verdict = how;
        return this;
    }

    /** Exchanges do not end before the test says so. */
    Node holding() {
        holding = true;
        return this;
    }

    /** From now on exchanges end as decided. */
    void holdNoMore() {
        holding = false;
    }

    Node reading(String uri) {
        try {
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    errorHandler(noErrorHandler());
                    from(uri).routeId(ROUTE).process(new Arrival());
                }
            });
            context.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return this;
    }

    private final class Arrival extends AsyncProcessorSupport {
        @Override
        public boolean process(Exchange exchange, AsyncCallback callback) {
            if (holding) {
                arrived.add(new Arrived(exchange, callback));
                return false;
            }
            exchange.setException(verdict.apply(exchange));
            arrived.add(new Arrived(exchange, callback));
            callback.done(true);
            return true;
        }
    }

    List<Arrived> arrived() {
        return arrived;
    }

    List<String> texts() {
        return arrived.stream().map(Arrived::text).toList();
    }

    CamelContext context() {
        return context;
    }

    FeedConsumer consumer() {
        return (FeedConsumer) context.getRoute(ROUTE).getConsumer();
    }

    /** Without the wait for what is on its way that a route controller adds. */
    void suspend() {
        consumer().suspend();
    }

    void resume() {
        consumer().resume();
    }

    /** As kill -9 would: nothing more is read, acknowledged or told. */
    void die() {
        connections.close();
    }

    @Override
    public void close() {
        context.stop();
        connections.close();
    }
}
