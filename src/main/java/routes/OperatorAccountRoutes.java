package routes;

import static routes.Storage.sql;

import access.Gate;
import http.HttpCall;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;

/** Accounts, for the operator: who there is, who gets a first token, whose account is closed; and the audit log of all. */
public final class OperatorAccountRoutes extends RouteBuilder {
    private static final int MOST_WEBHOOKS = 10_000;
    private static final int MOST_QUEUES = 1_000;
    private static final List<String> ROLES = List.of("member", "operator");

    private final Gate gate;

    public OperatorAccountRoutes(Gate gate) {
        this.gate = gate;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/v1/operator/accounts?httpMethodRestrict=POST")
                .routeId("account-create")
                .bean(gate, "authenticateOperator")
                .process(OperatorAccountRoutes::readAccount)
                .to(sql("accounts/create"))
                .process(OperatorAccountRoutes::answerCreated);
        from("platform-http:/v1/operator/accounts?httpMethodRestrict=GET")
                .routeId("account-list")
                .bean(gate, "authenticateOperator")
                .process(OperatorAccountRoutes::readPage)
                .to(sql("accounts/list"))
                .process(exchange -> Affair.answerPage(exchange, "accounts", "id"));
        from("platform-http:/v1/operator/accounts/{id}?httpMethodRestrict=GET")
                .routeId("account-get")
                .bean(gate, "authenticateOperator")
                .process(OperatorAccountRoutes::readId)
                .to(sql("accounts/find"))
                .process(Affair::answerRow);
        from("platform-http:/v1/operator/accounts/{id}?httpMethodRestrict=DELETE")
                .routeId("account-close")
                .bean(gate, "authenticateOperator")
                .process(OperatorAccountRoutes::readId)
                .to(sql("accounts/close"))
                .process(Affair::keepRow)
                .to(EndedRoute.ENDED)
                .process(OperatorAccountRoutes::readId)
                .to(sql("accounts/find"))
                .process(Affair::answerRow);
        from("platform-http:/v1/operator/accounts/{id}/tokens?httpMethodRestrict=POST")
                .routeId("account-token-mint")
                .bean(gate, "authenticateOperator")
                .process(OperatorAccountRoutes::readToken)
                .to(sql("tokens/mint"))
                .process(exchange -> Affair.answerMinted(exchange, 201, "token"));
        from("platform-http:/v1/operator/accounts/{id}/webhooks?httpMethodRestrict=PUT")
                .routeId("account-ceiling")
                .bean(gate, "authenticateOperator")
                .process(OperatorAccountRoutes::readCeiling)
                .to(sql("accounts/ceiling"))
                .process(Affair::answerRow);
        from("platform-http:/v1/operator/audit?httpMethodRestrict=GET")
                .routeId("audit-list-all")
                .bean(gate, "authenticateOperator")
                .process(Affair::readPageById)
                .to(sql("audit/list_all"))
                .process(exchange -> Affair.answerPage(exchange, "audit", "id"));
    }

    private static void readAccount(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        Map<String, Object> parameters = Affair.of(exchange);
        parameters.put("name", body.requiredName("name"));
        parameters.put("role", body.oneOf("role", ROLES, "member"));
        body.refuseIfWrong();
        Affair.mint(exchange, parameters);
        exchange.getMessage().setBody(parameters);
    }

    private static void answerCreated(Exchange exchange) {
        if (exchange.getMessage().getBody(List.class).isEmpty()) {
            throw Affair.nameTaken();
        }
        Affair.answerMinted(exchange, 201, "token");
    }

    private static void readPage(Exchange exchange) {
        exchange.getMessage().setBody(Affair.page(exchange, "before", Long::valueOf));
    }

    private static void readId(Exchange exchange) {
        exchange.getMessage().setBody(ofAccount(exchange, "id"));
    }

    private static void readToken(Exchange exchange) {
        Map<String, Object> parameters = ofAccount(exchange, "of");
        AccountRoutes.readToken(exchange, parameters);
    }

    private static void readCeiling(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        Map<String, Object> parameters = ofAccount(exchange, "id");
        parameters.put("most", body.requiredWhole("most", 0, MOST_WEBHOOKS));
        List<String> types = body.texts("types", StoredWebhookRoutes.TYPES.size(), Names.LONGEST);
        if (!StoredWebhookRoutes.TYPES.containsAll(types)) {
            body.wrong("types", "must be among " + String.join(", ", StoredWebhookRoutes.TYPES));
        }
        parameters.put("types", types.isEmpty() ? new String[] {"generic"} : types.toArray(String[]::new));
        parameters.put("queues", EndpointRoutes.queues(body.names("queues", MOST_QUEUES)));
        body.refuseIfWrong();
        exchange.getMessage().setBody(parameters);
    }

    private static Map<String, Object> ofAccount(Exchange exchange, String name) {
        HttpCall call = HttpCall.of(exchange);
        Map<String, Object> parameters = Affair.of(exchange);
        try {
            parameters.put(name, Long.parseLong(call.pathParam("id")));
        } catch (NumberFormatException noId) {
            throw Door.unknown(call.path());
        }
        return parameters;
    }
}
