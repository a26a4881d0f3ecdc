package routes;

import adapters.AdapterRegistry;
import intake.IntakeEndpoint;
import org.apache.camel.builder.RouteBuilder;

/** Providers that sign: a 2xx means that the event and its todos are committed, anything else that nothing was stored. */
public final class WebhookRoute extends RouteBuilder {
    private final Door door;

    public WebhookRoute(AdapterRegistry adapters) {
        this.door = new Door(adapters, adapters::webhook);
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/webhooks/{name}?httpMethodRestrict=GET")
                .routeId("door-handshake")
                // some providers ask whether we are who they were told of, before they deliver anything
                .bean(door, "onlyGreet");
        from("platform-http:/webhooks/{name}?httpMethodRestrict=POST")
                .routeId("door-webhook")
                // a question that the protocol does not sign is answered, and nothing is stored
                .bean(door, "greet")
                // the signature covers the bytes as sent: verify before anything parses them
                .bean(door, "verify")
                // so is a question that was signed like a delivery
                .bean(door, "answerQuestion")
                .bean(door, "toDelivery")
                // goes on only after the commit; a failure answers 503 and the provider sends it again
                .to(IntakeEndpoint.DELIVERIES)
                .bean(door, "accepted");
    }
}
