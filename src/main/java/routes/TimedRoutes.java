package routes;

import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.model.ProcessorDefinition;

/** Routes on timers. A run that fails is said in one line, and the next one is its retry. */
abstract class TimedRoutes extends RouteBuilder {
    private final Health health;

    TimedRoutes(Health health) {
        this.health = health;
    }

    /** Begins the route {@code <name>-timer}; the work itself is a {@code direct:} that tests reach without it. */
    ProcessorDefinition<?> every(long millis, String name) {
        return from("timer:" + name + "?period=" + millis)
                .routeId(name + "-timer")
                // of its own: under noErrorHandler() nobody would ask onException
                .errorHandler(defaultErrorHandler())
                .onException(Exception.class)
                .handled(true)
                .bean(health, "timerFailed")
                .end();
    }
}
