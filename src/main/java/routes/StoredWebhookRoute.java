package routes;

import adapters.AdapterRegistry;
import intake.IntakeEndpoint;
import org.apache.camel.builder.RouteBuilder;

/** Webhooks that were made over REST: a 2xx means that the event and its todo are committed. */
public final class StoredWebhookRoute extends RouteBuilder {
    private final Door door;

    public StoredWebhookRoute(AdapterRegistry adapters) {
        this.door = new Door(adapters, adapters::stored);
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/webhooks/w/{name}?httpMethodRestrict=POST")
                .routeId("door-stored")
                // a question that the protocol does not sign is answered, and nothing is stored
                .bean(door, "greet")
                .bean(door, "verify")
                // so is a question that was signed like a delivery
                .bean(door, "answerQuestion")
                .bean(door, "toDelivery")
                // goes on only after the commit; a failure answers 503 and the sender sends it again
                .to(IntakeEndpoint.DELIVERIES)
                .bean(door, "accepted");
    }
}
