package pgevent;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;

/** A route written for camel-pgevent, as an integrator has it. */
final class StockRoute implements AutoCloseable {
    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final DefaultCamelContext context = new DefaultCamelContext();

    StockRoute(String uri) throws Exception {
        context.getRegistry().bind("pgevent", new ListenComponent());
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from(uri).process(exchange -> bodies.add(exchange.getMessage().getBody(String.class)));
            }
        });
        context.start();
    }

    List<String> bodies() {
        return bodies;
    }

    @Override
    public void close() {
        context.stop();
    }
}
