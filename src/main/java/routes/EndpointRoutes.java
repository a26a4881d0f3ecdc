package routes;

import static routes.Storage.sql;

import access.Gate;
import access.Right;
import http.HttpCall;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;

/**
 * Agents and what is vended to them. A scope never changes: another one is vended, and the former revoked, which holds at
 * once here and on the other nodes as soon as they hear of it; what it held is taken back before the call is answered.
 */
public final class EndpointRoutes extends RouteBuilder {
    private static final String REVOKE = "direct:endpoint-end";

    private static final int MOST_QUEUES = 100;
    private static final int LONGEST_LEASE = 86_400;
    private static final int MOST_CALLS = 1_000_000;
    private static final int LONGEST_GRACE = 7 * 86_400;
    private static final int LONGEST_DESCRIPTION = 1_000;
    private static final List<String> TODOS = List.of("release", "fail");

    private final Gate gate;

    public EndpointRoutes(Gate gate) {
        this.gate = gate;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/v1/account/agents?httpMethodRestrict=POST")
                .routeId("agent-register")
                .bean(gate, "authenticateAccount")
                .process(EndpointRoutes::readAgent)
                .to(sql("agents/register"))
                .process(Affair::answerMade);
        from("platform-http:/v1/account/agents?httpMethodRestrict=GET")
                .routeId("agent-list")
                .bean(gate, "authenticateAccount")
                .process(Affair::readPageById)
                .to(sql("agents/list"))
                .process(exchange -> Affair.answerPage(exchange, "agents", "id"));
        from("platform-http:/v1/account/agents/{id}?httpMethodRestrict=GET")
                .routeId("agent-get")
                .bean(gate, "authenticateAccount")
                .process(Affair::readId)
                .to(sql("agents/find"))
                .process(Affair::answerRow);
        from("platform-http:/v1/account/agents/{id}?httpMethodRestrict=DELETE")
                .routeId("agent-remove")
                .bean(gate, "authenticateAccount")
                .process(Affair::readId)
                .to(sql("agents/remove"))
                .process(Affair::keepRow)
                .to(EndedRoute.ENDED)
                .process(Affair::answerKept);

        from("platform-http:/v1/account/agents/{id}/endpoints?httpMethodRestrict=POST")
                .routeId("endpoint-vend")
                .bean(gate, "authenticateAccount")
                .process(EndpointRoutes::readScope)
                .to(sql("endpoints/vend"))
                .process(exchange -> Affair.answerMinted(exchange, 201, "credential"));
        from("platform-http:/v1/account/endpoints?httpMethodRestrict=GET")
                .routeId("endpoint-list")
                .bean(gate, "authenticateAccount")
                .process(Affair::readPageById)
                .to(sql("endpoints/list"))
                .process(exchange -> Affair.answerPage(exchange, "endpoints", "id"));
        from("platform-http:/v1/account/endpoints/{id}?httpMethodRestrict=GET")
                .routeId("endpoint-get")
                .bean(gate, "authenticateAccount")
                .process(Affair::readId)
                .to(sql("endpoints/find"))
                .process(Affair::answerRow);
        from("platform-http:/v1/account/endpoints/{id}/revoke?httpMethodRestrict=POST")
                .routeId("endpoint-revoke")
                .bean(gate, "authenticateAccount")
                .process(EndpointRoutes::readRevocation)
                .to(REVOKE);
        from("platform-http:/v1/account/endpoints/{id}?httpMethodRestrict=DELETE")
                .routeId("endpoint-delete")
                .bean(gate, "authenticateAccount")
                .process(EndpointRoutes::readRevocation)
                .to(REVOKE);
        from(REVOKE)
                .routeId("endpoint-end")
                .to(sql("endpoints/revoke"))
                .process(Affair::keepRow)
                .to(EndedRoute.ENDED)
                .process(Affair::readId)
                .to(sql("endpoints/find"))
                .process(Affair::answerRow);
        from("platform-http:/v1/account/endpoints/{id}/rotate?httpMethodRestrict=POST")
                .routeId("endpoint-rotate")
                .bean(gate, "authenticateAccount")
                .process(EndpointRoutes::readRotation)
                .to(sql("endpoints/rotate"))
                .process(Affair::keepRow)
                .to(EndedRoute.ENDED)
                .process(exchange -> Affair.answerMinted(exchange, "credential"));
    }

    private static void readAgent(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        Map<String, Object> parameters = Affair.of(exchange);
        parameters.put("id", Affair.newId());
        parameters.put("name", body.requiredName("name"));
        parameters.put("description", body.text("description", LONGEST_DESCRIPTION));
        body.refuseIfWrong();
        exchange.getMessage().setBody(parameters);
    }

    private static void readScope(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        Map<String, Object> parameters = Affair.of(exchange);
        parameters.put("id", Affair.newId());
        parameters.put("queues", queues(body.requiredNames("queues", MOST_QUEUES)));
        parameters.put("verbs", verbs(body.requiredRights("verbs")));
        parameters.put("lease_seconds", body.whole("lease_seconds", 1, LONGEST_LEASE));
        parameters.put("max_webhooks", body.whole("max_webhooks", 0, 1_000));
        readLimits(body, parameters);
        body.refuseIfWrong();
        parameters.put("agent_id", Affair.id(exchange));
        Affair.mint(exchange, parameters);
        exchange.getMessage().setBody(parameters);
    }

    /** What bounds any endpoint, an agent's or a friend's. */
    static void readLimits(JsonRequest body, Map<String, Object> parameters) {
        parameters.put("max_lease_seconds", body.whole("max_lease_seconds", 1, LONGEST_LEASE));
        parameters.put("rate_limit", body.whole("rate_limit", 1, MOST_CALLS));
        parameters.put("expires_in_seconds", body.whole("expires_in_seconds", 1, AccountRoutes.LONGEST_LIFE));
    }

    private static void readRevocation(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        String todos = todos(body);
        body.refuseIfWrong();
        Map<String, Object> parameters = Affair.ofId(exchange);
        parameters.put("held", todos);
        exchange.getMessage().setBody(parameters);
    }

    private static void readRotation(Exchange exchange) {
        Map<String, Object> parameters = rotation(exchange);
        parameters.put("id", Affair.id(exchange));
        parameters.put("edge_id", null);
        exchange.getMessage().setBody(parameters);
    }

    static Map<String, Object> rotation(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        Map<String, Object> parameters = Affair.of(exchange);
        parameters.put("grace_seconds", body.whole("grace_seconds", 0, LONGEST_GRACE, 0));
        body.refuseIfWrong();
        Affair.mint(exchange, parameters);
        return parameters;
    }

    /** What becomes of the todos under an ended lease. */
    static String todos(JsonRequest body) {
        return body.oneOf("todos", TODOS, "release");
    }

    static String[] queues(List<String> names) {
        return names == null ? null : names.toArray(String[]::new);
    }

    static String[] verbs(List<Right> rights) {
        return rights == null ? null : rights.stream().map(Right::word).toArray(String[]::new);
    }
}
