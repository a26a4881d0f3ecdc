package routes;

import claims.Sweeps;
import org.apache.camel.builder.RouteBuilder;

/** Once a second, makes todos due whose time has come. A run that fails is followed by the next one. */
public final class PromoterRoute extends RouteBuilder {
    /** One run without its timer; answers {@link Sweeps.Swept}. */
    public static final String PROMOTE = "direct:promote";

    private final Sweeps sweeps;
    private final Health health;

    public PromoterRoute(Sweeps sweeps, Health health) {
        this.sweeps = sweeps;
        this.health = health;
    }

    @Override
    public void configure() {
        // needs an error handler to be caught by: without one, Camel looks at no onException
        onException(Exception.class).handled(true).bean(health, "timerFailed");

        from("timer:promote?period=1000").routeId("promote-timer").to(PROMOTE);
        from(PROMOTE).routeId("promote").errorHandler(noErrorHandler()).bean(sweeps, "promote");
    }
}
