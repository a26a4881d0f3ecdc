package routes;

import claims.Sweeps;
import org.apache.camel.builder.RouteBuilder;

/** Once a second, takes todos back whose lease lapsed. A run that fails is followed by the next one. */
public final class ReaperRoute extends RouteBuilder {
    /** One run without its timer; answers {@link Sweeps.Swept}. */
    public static final String REAP = "direct:reap";

    private final Sweeps sweeps;
    private final Health health;

    public ReaperRoute(Sweeps sweeps, Health health) {
        this.sweeps = sweeps;
        this.health = health;
    }

    @Override
    public void configure() {
        // needs an error handler to be caught by: without one, Camel looks at no onException
        onException(Exception.class).handled(true).bean(health, "timerFailed");

        from("timer:reap?period=1000").routeId("reap-timer").to(REAP);
        from(REAP).routeId("reap").errorHandler(noErrorHandler()).bean(sweeps, "reap");
    }
}
