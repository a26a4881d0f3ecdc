package routes;

import access.Caller;
import access.Gate;
import http.HttpCall;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;

/** For load balancers and people: is it alive, is it ready. Parts are named to the operator alone. */
public final class HealthRoutes extends RouteBuilder {
    private static final Set<String> READY = Set.of("ready", "degraded");

    private final Health health;
    private volatile Gate gate;

    public HealthRoutes(Health health) {
        this.health = health;
    }

    /** From now on the operator is recognised. */
    public void revealTo(Gate operators) {
        this.gate = operators;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/health/live?httpMethodRestrict=GET")
                .routeId("health-live")
                .process(exchange -> HttpAnswers.ok(exchange, Map.of("status", "live")));
        from("platform-http:/health/ready?httpMethodRestrict=GET")
                .routeId("health-ready")
                .process(this::answerReady);
    }

    private void answerReady(Exchange exchange) {
        Map<String, Health.Part> parts = health.parts();
        String word = health.word(parts);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("status", word);
        if (isOperator(HttpCall.of(exchange))) {
            Map<String, Object> shown = new LinkedHashMap<>();
            parts.forEach((name, part) -> shown.put(name, shown(part)));
            answer.put("parts", shown);
        }
        HttpAnswers.json(exchange, READY.contains(word) ? 200 : 503, answer);
    }

    private static Map<String, Object> shown(Health.Part part) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("status", part.status().word());
        shown.put("detail", part.detail());
        return shown;
    }

    private boolean isOperator(HttpCall call) {
        Gate operators = gate;
        if (operators == null || call.header("authorization") == null) {
            return false;
        }
        try {
            return operators
                    .caller(call.header("authorization"))
                    .map(Caller::operator)
                    .orElse(false);
        } catch (RuntimeException databaseAway) {
            // the status alone says so, too
            return false;
        }
    }
}
