package routes;

import static routes.Storage.sql;

import access.Caller;
import access.Endpoint;
import access.Gate;
import access.Right;
import http.HttpCall;
import http.Json;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;

/** Who am I, how full are my queues; and for people their tokens, their queues' settings, and what was done in their name. */
public final class AccountRoutes extends RouteBuilder {
    /** Ten years, in seconds: who means longer means for ever. */
    static final int LONGEST_LIFE = 315_360_000;

    private static final int LONGEST_WAIT = 30 * 86_400;

    private final Gate gate;

    public AccountRoutes(Gate gate) {
        this.gate = gate;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/v1/me?httpMethodRestrict=GET")
                .routeId("me")
                .bean(gate, "authenticate")
                .process(AccountRoutes::answerMe);
        from("platform-http:/v1/queues?httpMethodRestrict=GET")
                .routeId("queue-list")
                .process(gate.lets(Right.READ))
                .process(AccountRoutes::readDepths)
                .to(sql("queues/list"))
                .process(exchange -> Affair.answerPage(exchange, "queues", "name"));

        from("platform-http:/v1/account/tokens?httpMethodRestrict=POST")
                .routeId("token-mint")
                .bean(gate, "authenticateAccount")
                .process(exchange -> readToken(exchange, Affair.of(exchange)))
                .to(sql("tokens/mint"))
                .process(exchange -> Affair.answerMinted(exchange, 201, "token"));
        from("platform-http:/v1/account/tokens?httpMethodRestrict=GET")
                .routeId("token-list")
                .bean(gate, "authenticateAccount")
                .process(Affair::read)
                .to(sql("tokens/list"))
                .process(exchange -> HttpAnswers.ok(
                        exchange, Map.of("tokens", exchange.getMessage().getBody())));
        from("platform-http:/v1/account/tokens/{name}?httpMethodRestrict=DELETE")
                .routeId("token-revoke")
                .bean(gate, "authenticateAccount")
                .process(AccountRoutes::readName)
                .to(sql("tokens/revoke"))
                .process(Affair::keepRow)
                .to(EndedRoute.ENDED)
                .process(Affair::answerKept);

        from("platform-http:/v1/account/queues?httpMethodRestrict=GET")
                .routeId("queue-settings-list")
                .bean(gate, "authenticateAccount")
                .process(AccountRoutes::readSettingsPage)
                .to(sql("queues/settings"))
                .process(exchange -> Affair.answerPage(exchange, "queues", "name"));
        from("platform-http:/v1/account/queues/{name}?httpMethodRestrict=GET")
                .routeId("queue-settings-get")
                .bean(gate, "authenticateAccount")
                .process(AccountRoutes::readName)
                .to(sql("queues/settings"))
                .process(Affair::answerRow);
        from("platform-http:/v1/account/queues/{name}?httpMethodRestrict=PUT")
                .routeId("queue-settings-put")
                .bean(gate, "authenticateAccount")
                .process(AccountRoutes::readQueue)
                .to(sql("queues/put"))
                .process(Affair::answerRow);

        from("platform-http:/v1/account/audit?httpMethodRestrict=GET")
                .routeId("audit-list")
                .bean(gate, "authenticateAccount")
                .process(Affair::readPageById)
                .to(sql("audit/list"))
                .process(exchange -> Affair.answerPage(exchange, "audit", "id"));
    }

    private static void answerMe(Exchange exchange) {
        Caller caller = Caller.of(exchange);
        Map<String, Object> me = new LinkedHashMap<>();
        me.put("account", caller.accountName());
        me.put("role", caller.endpoint().isPresent() ? null : caller.role());
        me.put(
                "agent",
                caller.endpoint()
                        .filter(scope -> !scope.friend())
                        .map(Endpoint::holder)
                        .orElse(null));
        me.put(
                "friend",
                caller.endpoint().filter(Endpoint::friend).map(Endpoint::holder).orElse(null));
        me.put("endpoint", caller.endpoint().map(scope -> scope.id().toString()).orElse(null));
        me.put("owner", caller.owner());
        me.put("prefix", caller.prefix());
        me.put("queues", caller.queues().orElse(null));
        me.put(
                "verbs",
                Arrays.stream(Right.values())
                        .filter(caller::may)
                        .map(Right::word)
                        .toList());
        me.put("rate_limit", caller.endpoint().map(Endpoint::callsAMinute).orElse(null));
        HttpAnswers.ok(exchange, me);
    }

    private static void readDepths(Exchange exchange) {
        Map<String, Object> parameters = Affair.pageByName(exchange);
        parameters.put("queues", Caller.of(exchange).queuesOrNull());
        exchange.getMessage().setBody(parameters);
    }

    /** A token for a person: of the caller's own account, or of the one in {@code of}. */
    static void readToken(Exchange exchange, Map<String, Object> parameters) {
        JsonRequest body = JsonRequest.of(HttpCall.of(exchange));
        parameters.putIfAbsent("of", null);
        parameters.put("name", body.requiredName("name"));
        parameters.put("expires_in_seconds", body.whole("expires_in_seconds", 1, LONGEST_LIFE));
        body.refuseIfWrong();
        Affair.mint(exchange, parameters);
        exchange.getMessage().setBody(parameters);
    }

    private static void readName(Exchange exchange) {
        Map<String, Object> parameters = Affair.of(exchange);
        parameters.put("name", Affair.name(exchange, "name"));
        parameters.put("after", null);
        parameters.put("limit", 1);
        exchange.getMessage().setBody(parameters);
    }

    private static void readSettingsPage(Exchange exchange) {
        Map<String, Object> parameters = Affair.pageByName(exchange);
        parameters.put("name", null);
        exchange.getMessage().setBody(parameters);
    }

    private static void readQueue(Exchange exchange) {
        HttpCall call = HttpCall.of(exchange);
        String name = call.pathParam("name");
        if (!Names.isOne(name)) {
            throw new FieldError("name", "must be " + Names.RULE).refusal();
        }
        JsonRequest body = JsonRequest.of(call);
        Map<String, Object> parameters = Affair.of(exchange);
        parameters.put("name", name);
        parameters.put("paused", body.flagOrNull("paused"));
        parameters.put("lease_seconds", body.whole("lease_seconds", 1, 86_400));
        parameters.put("max_attempts", body.whole("max_attempts", 1, 1_000));
        parameters.put(
                "backoff", body.object("backoff").map(AccountRoutes::backoff).orElse(null));
        body.refuseIfWrong();
        exchange.getMessage().setBody(parameters);
    }

    private static String backoff(JsonRequest backoff) {
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("base_seconds", backoff.whole("base_seconds", 0, LONGEST_WAIT, 30));
        said.put("factor", backoff.number("factor", 1, 100, 2));
        said.put("max_seconds", backoff.whole("max_seconds", 0, LONGEST_WAIT, 900));
        said.put("jitter", backoff.number("jitter", 0, 1, 0.1));
        return Json.text(said);
    }
}
