package routes;

import claims.Sweeps;

/** Once a second, makes todos due whose time has come. A run that fails is followed by the next one. */
public final class PromoterRoute extends TimedRoutes {
    /** One run without its timer; answers {@link Sweeps.Swept}. */
    public static final String PROMOTE = "direct:promote";

    private final Sweeps sweeps;

    public PromoterRoute(Sweeps sweeps, Health health) {
        super(health);
        this.sweeps = sweeps;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        every(1_000, "promote").to(PROMOTE);
        from(PROMOTE).routeId("promote").bean(sweeps, "promote");
    }
}
