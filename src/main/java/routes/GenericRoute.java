package routes;

import adapters.AdapterRegistry;
import intake.IntakeEndpoint;
import org.apache.camel.builder.RouteBuilder;

/** Any sender that knows the adapter's token: a 2xx means that the event and its todos are committed. */
public final class GenericRoute extends RouteBuilder {
    private final Door door;

    public GenericRoute(AdapterRegistry adapters) {
        this.door = new Door(adapters, adapters::generic);
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/webhooks/generic/{name}?httpMethodRestrict=POST")
                .routeId("door-generic")
                .bean(door, "verify")
                .bean(door, "toDelivery")
                // goes on only after the commit; a failure answers 503 and the sender sends it again
                .to(IntakeEndpoint.DELIVERIES)
                .bean(door, "accepted");
    }
}
