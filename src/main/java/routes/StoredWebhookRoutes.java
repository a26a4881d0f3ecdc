package routes;

import static routes.Storage.sql;

import access.Caller;
import access.Credential;
import access.Gate;
import access.Right;
import adapters.StoredWebhook;
import http.HttpCall;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;

/**
 * Webhooks that accounts and their agents make for themselves, under a ceiling. An agent sees those that it made, and they go
 * with its endpoint. What a provider signs with is taken and never shown.
 */
public final class StoredWebhookRoutes extends RouteBuilder {
    /** What may be made over REST. */
    static final List<String> TYPES = StoredWebhook.types();

    private static final int LONGEST_SECRET = 1_000;
    private static final int LONGEST_GRACE = 7 * 24 * 60 * 60;

    private final Gate gate;
    private final StoredWebhooks webhooks;

    public StoredWebhookRoutes(Gate gate, StoredWebhooks webhooks) {
        this.gate = gate;
        this.webhooks = webhooks;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/v1/webhooks?httpMethodRestrict=POST")
                .routeId("webhook-create")
                .process(gate.lets(Right.WEBHOOKS))
                .process(this::readNew)
                .to(sql("webhooks/create"))
                .process(Affair::keepRow)
                // here at once, on the other nodes within two seconds, as adapters are switched
                .to(OperatorRoutes.REFRESH)
                .process(exchange -> Affair.answerKept(exchange, 201, "token"));
        from("platform-http:/v1/webhooks?httpMethodRestrict=GET")
                .routeId("webhook-list")
                .process(gate.lets(Right.WEBHOOKS))
                .process(StoredWebhookRoutes::readPage)
                .to(sql("webhooks/list"))
                .process(exchange -> Affair.answerPage(exchange, "webhooks", "name"));
        from("platform-http:/v1/webhooks/{id}?httpMethodRestrict=GET")
                .routeId("webhook-get")
                .process(gate.lets(Right.WEBHOOKS))
                .process(StoredWebhookRoutes::readId)
                .to(sql("webhooks/find"))
                .process(Affair::answerRow);
        from("platform-http:/v1/webhooks/{id}/rotate?httpMethodRestrict=POST")
                .routeId("webhook-rotate")
                .process(gate.lets(Right.WEBHOOKS))
                .process(this::readRotation)
                .to(sql("webhooks/rotate"))
                .process(Affair::keepRow)
                .to(OperatorRoutes.REFRESH)
                .process(exchange -> Affair.answerKept(exchange, 200, "token"));
        from("platform-http:/v1/webhooks/{id}?httpMethodRestrict=DELETE")
                .routeId("webhook-delete")
                .process(gate.lets(Right.WEBHOOKS))
                .process(StoredWebhookRoutes::readId)
                .to(sql("webhooks/delete"))
                .process(Affair::keepRow)
                .to(OperatorRoutes.REFRESH)
                .process(Affair::answerKept);
    }

    private void readNew(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        Map<String, Object> parameters = Affair.of(exchange);
        String id = Credential.random();
        parameters.put("id", id);
        parameters.put("name", body.requiredName("name"));
        parameters.put("queue", body.requiredName("queue"));
        String type = body.oneOf("type", TYPES, "generic");
        parameters.put("type", type);
        String secret = body.text("secret", LONGEST_SECRET);
        if (type.equals("generic") != (secret == null)) {
            body.wrong(
                    "secret",
                    "is what a provider signs with or shows: required with the type of a provider, and not with generic");
        }
        if (secret != null && !type.equals("generic")) {
            StoredWebhook.complaint(type, secret).ifPresent(text -> body.wrong("secret", text));
        }
        body.refuseIfWrong();
        Caller.of(exchange).queues(List.of((String) parameters.get("queue")));
        keep(exchange, parameters, secret, id);
        exchange.getMessage().setBody(parameters);
    }

    private void readRotation(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        String secret = body.text("secret", LONGEST_SECRET);
        int grace = body.whole("grace_seconds", 0, LONGEST_GRACE, 0);
        body.refuseIfWrong();
        Map<String, Object> parameters = Affair.of(exchange);
        String id = Affair.name(exchange, "id");
        parameters.put("grace_seconds", grace);
        parameters.put("id", id);
        keep(exchange, parameters, secret, id);
        exchange.getMessage().setBody(parameters);
    }

    /** A provider's secret sealed, or else a token minted. */
    private void keep(Exchange exchange, Map<String, Object> parameters, String secret, String id) {
        if (secret == null) {
            Affair.mint(exchange, parameters);
            parameters.put("token_hash", parameters.get("hash"));
            parameters.put("secret", null);
        } else {
            parameters.put("token_hash", null);
            parameters.put("secret", webhooks.seal(secret, id));
        }
    }

    private static void readPage(Exchange exchange) {
        Map<String, Object> parameters = Affair.pageByName(exchange);
        parameters.put("endpoint", endpoint(exchange));
        exchange.getMessage().setBody(parameters);
    }

    private static void readId(Exchange exchange) {
        Map<String, Object> parameters = Affair.of(exchange);
        parameters.put("id", Affair.name(exchange, "id"));
        parameters.put("endpoint", endpoint(exchange));
        exchange.getMessage().setBody(parameters);
    }

    private static String endpoint(Exchange exchange) {
        return Caller.of(exchange)
                .endpoint()
                .map(scope -> scope.id().toString())
                .orElse(null);
    }
}
