package routes;

import claims.Sweeps;

/** Once a second, takes todos back whose lease lapsed, and every five those whose endpoint ended. A run that fails is followed by the next one. */
public final class ReaperRoute extends TimedRoutes {
    /** One run without its timer; answers {@link Sweeps.Swept}. */
    public static final String REAP = "direct:reap";
    /** One run over endpoints that ended, without its timer; answers the same. */
    public static final String SETTLE = "direct:settle";

    private final Sweeps sweeps;

    public ReaperRoute(Sweeps sweeps, Health health) {
        super(health);
        this.sweeps = sweeps;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        every(1_000, "reap").to(REAP);
        from(REAP).routeId("reap").bean(sweeps, "reap");
        // who ends an endpoint settles it at once: this is for expiry, and for what was under way then
        every(5_000, "settle").to(SETTLE);
        from(SETTLE).routeId("settle").bean(sweeps, "settle");
    }
}
