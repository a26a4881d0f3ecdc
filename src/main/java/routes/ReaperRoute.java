package routes;

import claims.Sweeps;
import org.apache.camel.LoggingLevel;
import org.apache.camel.builder.RouteBuilder;

/** Once a second, takes todos back whose lease lapsed. A run that fails is followed by the next one. */
public final class ReaperRoute extends RouteBuilder {
    /** One run without its timer; answers {@link Sweeps.Swept}. */
    public static final String REAP = "direct:reap";

    private final Sweeps sweeps;

    public ReaperRoute(Sweeps sweeps) {
        this.sweeps = sweeps;
    }

    @Override
    public void configure() {
        onException(Exception.class)
                .handled(true)
                .log(
                        LoggingLevel.WARN,
                        "lapsed leases were not taken back, next try in a second error=${exception.message} (${exception.cause?.message})");

        from("timer:reap?period=1000").routeId("reap-timer").to(REAP);
        from(REAP).routeId("reap").errorHandler(noErrorHandler()).bean(sweeps, "reap");
    }
}
