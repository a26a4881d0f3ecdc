package routes;

import claims.Sweeps;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;

/**
 * After a credential or an endpoint ended here: this node forgets at once what the others are told, ends the waits of who
 * bore it, and takes back what it held. When the call that ended it is answered, all that has happened.
 */
public final class EndedRoute extends RouteBuilder {
    static final String ENDED = "direct:access-ended";

    private final Runnable accessChanged;
    private final Sweeps sweeps;

    /** @param accessChanged what this node does when it hears of such a change */
    public EndedRoute(Runnable accessChanged, Sweeps sweeps) {
        this.accessChanged = accessChanged;
        this.sweeps = sweeps;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from(ENDED).routeId("access-ended").process(this::forget).bean(sweeps, "settle");
    }

    private void forget(Exchange exchange) {
        accessChanged.run();
    }
}
