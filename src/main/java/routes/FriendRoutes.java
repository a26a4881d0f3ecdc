package routes;

import static routes.Storage.sql;

import access.Caller;
import access.Gate;
import access.Right;
import http.HttpCall;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;

/**
 * One account asks another for some of its queues. Who is asked grants that or less, which vends an endpoint in its own
 * account; either side ends it. One direction, and nothing that was granted can be granted on.
 */
public final class FriendRoutes extends RouteBuilder {
    private static final int MOST_QUEUES = 100;
    private static final int LONGEST_REASON = 1_000;

    private final Gate gate;

    public FriendRoutes(Gate gate) {
        this.gate = gate;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/v1/account/friends?httpMethodRestrict=POST")
                .routeId("friend-ask")
                .bean(gate, "authenticateAccount")
                .process(FriendRoutes::readAsk)
                .to(sql("friends/ask"))
                .process(Affair::answerMade);
        from("platform-http:/v1/account/friends?httpMethodRestrict=GET")
                .routeId("friend-list")
                .bean(gate, "authenticateAccount")
                .process(Affair::readPageById)
                .to(sql("friends/list"))
                .process(exchange -> Affair.answerPage(exchange, "friends", "id"));
        from("platform-http:/v1/account/friends/{id}?httpMethodRestrict=GET")
                .routeId("friend-get")
                .bean(gate, "authenticateAccount")
                .process(Affair::readId)
                .to(sql("friends/find"))
                .process(Affair::answerRow);
        from("platform-http:/v1/account/friends/{id}/approve?httpMethodRestrict=POST")
                .routeId("friend-approve")
                .bean(gate, "authenticateAccount")
                .process(FriendRoutes::readApproval)
                .to(sql("friends/approve"))
                .process(Affair::keepRow)
                .process(Affair::readId)
                .to(sql("friends/find"))
                .process(exchange -> Affair.answerMinted(exchange, "credential"));
        from("platform-http:/v1/account/friends/{id}/deny?httpMethodRestrict=POST")
                .routeId("friend-deny")
                .bean(gate, "authenticateAccount")
                .process(FriendRoutes::readDenial)
                .to(sql("friends/end"))
                .process(Affair::keepRow)
                .process(Affair::readId)
                .to(sql("friends/find"))
                .process(Affair::answerRow);
        from("platform-http:/v1/account/friends/{id}/revoke?httpMethodRestrict=POST")
                .routeId("friend-revoke")
                .bean(gate, "authenticateAccount")
                .process(FriendRoutes::readRevocation)
                .to(sql("friends/end"))
                .process(Affair::keepRow)
                .to(EndedRoute.ENDED)
                .process(Affair::readId)
                .to(sql("friends/find"))
                .process(Affair::answerRow);
        from("platform-http:/v1/account/friends/{id}/rotate?httpMethodRestrict=POST")
                .routeId("friend-rotate")
                .bean(gate, "authenticateAccount")
                .process(FriendRoutes::readRotation)
                .to(sql("endpoints/rotate"))
                .process(Affair::keepRow)
                .to(EndedRoute.ENDED)
                .process(exchange -> Affair.answerMinted(exchange, "credential"));
    }

    private static void readAsk(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        Map<String, Object> parameters = Affair.of(exchange);
        parameters.put("id", Affair.newId());
        String to = body.requiredName("to");
        if (Caller.of(exchange).accountName().equals(to)) {
            body.wrong("to", "must be another account than your own");
        }
        parameters.put("to", to);
        parameters.put("queues", EndpointRoutes.queues(body.requiredNames("queues", MOST_QUEUES)));
        parameters.put("verbs", EndpointRoutes.verbs(forFriends(body, body.requiredRights("verbs"))));
        parameters.put("reason", body.text("reason", LONGEST_REASON));
        body.refuseIfWrong();
        exchange.getMessage().setBody(parameters);
    }

    private static List<Right> forFriends(JsonRequest body, List<Right> rights) {
        if (rights != null && !rights.stream().allMatch(Right::forFriends)) {
            body.wrong("verbs", "a friend may be given create and the verbs of work, and no other");
        }
        return rights;
    }

    private static void readApproval(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        Map<String, Object> parameters = Affair.of(exchange);
        parameters.put("endpoint_id", Affair.newId());
        parameters.put("queues", EndpointRoutes.queues(body.names("queues", MOST_QUEUES)));
        parameters.put("verbs", EndpointRoutes.verbs(forFriends(body, body.rights("verbs"))));
        EndpointRoutes.readLimits(body, parameters);
        body.refuseIfWrong();
        parameters.put("id", Affair.id(exchange));
        Affair.mint(exchange, parameters);
        exchange.getMessage().setBody(parameters);
    }

    private static void readDenial(Exchange exchange) {
        JsonRequest.of(HttpCall.of(exchange)).refuseIfWrong();
        Map<String, Object> parameters = Affair.ofId(exchange);
        parameters.put("word", "denied");
        parameters.put("held", "release");
        exchange.getMessage().setBody(parameters);
    }

    private static void readRevocation(Exchange exchange) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        String todos = EndpointRoutes.todos(body);
        body.refuseIfWrong();
        Map<String, Object> parameters = Affair.ofId(exchange);
        parameters.put("word", "revoked");
        parameters.put("held", todos);
        exchange.getMessage().setBody(parameters);
    }

    private static void readRotation(Exchange exchange) {
        Map<String, Object> parameters = EndpointRoutes.rotation(exchange);
        parameters.put("id", null);
        parameters.put("edge_id", Affair.id(exchange));
        exchange.getMessage().setBody(parameters);
    }
}
