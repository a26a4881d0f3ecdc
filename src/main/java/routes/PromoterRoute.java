package routes;

import claims.Sweeps;
import org.apache.camel.LoggingLevel;
import org.apache.camel.builder.RouteBuilder;

/** Once a second, makes todos due whose time has come. A run that fails is followed by the next one. */
public final class PromoterRoute extends RouteBuilder {
    /** One run without its timer; answers {@link Sweeps.Swept}. */
    public static final String PROMOTE = "direct:promote";

    private final Sweeps sweeps;

    public PromoterRoute(Sweeps sweeps) {
        this.sweeps = sweeps;
    }

    @Override
    public void configure() {
        onException(Exception.class)
                .handled(true)
                .log(LoggingLevel.WARN, "waiting todos were not made due, next try in a second error=${exception.message} (${exception.cause?.message})");

        from("timer:promote?period=1000").routeId("promote-timer").to(PROMOTE);
        from(PROMOTE).routeId("promote").errorHandler(noErrorHandler()).bean(sweeps, "promote");
    }
}
