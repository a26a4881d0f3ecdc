package routes;

import static routes.Storage.sql;

import access.Gate;
import adapters.AdapterRegistry;
import com.fasterxml.jackson.databind.JsonNode;
import http.HttpCall;
import http.Json;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import verify.Secret;

/** What the operator sees and switches: settings, and adapters on or off. Both hold on all nodes, and so do stored webhooks. */
public final class OperatorRoutes extends TimedRoutes {
    /** Reads all of them again from the database. */
    public static final String REFRESH = "direct:live-refresh";

    static final String LIVE_TIMER = "live-timer";

    private final Gate gate;
    private final Settings settings;
    private final AdapterRegistry adapters;
    private final StoredWebhooks webhooks;
    private final Health health;

    public OperatorRoutes(
            Gate gate, Settings settings, AdapterRegistry adapters, StoredWebhooks webhooks, Health health) {
        super(health);
        this.gate = gate;
        this.health = health;
        this.settings = settings;
        this.adapters = adapters;
        this.webhooks = webhooks;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/v1/operator/settings?httpMethodRestrict=GET")
                .routeId("setting-list")
                .bean(gate, "authenticateOperator")
                .to(REFRESH)
                .process(this::answerSettings);
        from("platform-http:/v1/operator/settings/{key}?httpMethodRestrict=PUT")
                .routeId("setting-put")
                .bean(gate, "authenticateOperator")
                .process(OperatorRoutes::readSetting)
                .to(sql("settings/put"))
                .to(REFRESH)
                .process(this::answerSetting);

        from("platform-http:/v1/operator/adapters?httpMethodRestrict=GET")
                .routeId("adapter-list")
                .bean(gate, "authenticateOperator")
                .to(REFRESH)
                .process(this::answerAdapters);
        from("platform-http:/v1/operator/adapters/{name}?httpMethodRestrict=PUT")
                .routeId("adapter-switch")
                .bean(gate, "authenticateOperator")
                .process(this::readSwitch)
                .to(sql("adapters/switch"))
                .to(REFRESH)
                .process(this::answerAdapter);

        every(2_000, "live").to(REFRESH).bean(health, "databaseAnswers");
        from(REFRESH)
                .routeId("live-refresh")
                .to(sql("settings/list"))
                .bean(settings, "refresh")
                .to(sql("adapters/switches"))
                .process(this::switchAdapters)
                .to(sql("webhooks/live"))
                .bean(webhooks, "refresh");
    }

    private void switchAdapters(Exchange exchange) {
        Map<String, Boolean> switches = new HashMap<>();
        for (Object row : exchange.getMessage().getBody(List.class)) {
            Map<?, ?> found = (Map<?, ?>) row;
            switches.put((String) found.get("name"), (Boolean) found.get("enabled"));
        }
        adapters.switchTo(switches);
    }

    private void answerSettings(Exchange exchange) {
        HttpAnswers.ok(exchange, Map.of("settings", settings.list()));
    }

    private static void readSetting(Exchange exchange) {
        HttpCall call = HttpCall.of(exchange);
        Settings.Key key = Settings.Key.of(call.pathParam("key"));
        JsonNode value = only(Json.read(call.body()), "value");
        Integer number = value.isValueNode() ? key.read(value.asText()) : null;
        if (number == null) {
            throw new FieldError("value", "must be a whole number from " + key.least() + " to " + key.most()).refusal();
        }
        Map<String, Object> parameters = Affair.of(exchange);
        parameters.put("key", key.word());
        parameters.put("value", number.toString());
        exchange.getMessage().setBody(parameters);
    }

    private void answerSetting(Exchange exchange) {
        HttpAnswers.ok(
                exchange, settings.shown(Settings.Key.of(HttpCall.of(exchange).pathParam("key"))));
    }

    private void readSwitch(Exchange exchange) {
        HttpCall call = HttpCall.of(exchange);
        AdapterRegistry.State state =
                adapters.named(call.pathParam("name")).orElseThrow(() -> Door.unknown(call.path()));
        JsonNode enabled = only(Json.read(call.body()), "enabled");
        if (!enabled.isBoolean() && !enabled.isNull()) {
            throw new FieldError("enabled", "must be true, false, or null to follow adapters.yaml").refusal();
        }
        Map<String, Object> parameters = Affair.of(exchange);
        parameters.put("account_id", state.accountId());
        parameters.put("name", state.adapter().name());
        parameters.put("enabled", enabled.isNull() ? null : enabled.booleanValue());
        exchange.getMessage().setBody(parameters);
    }

    private void answerAdapters(Exchange exchange) {
        HttpAnswers.ok(
                exchange,
                Map.of("adapters", adapters.states().stream().map(this::shown).toList()));
    }

    private void answerAdapter(Exchange exchange) {
        HttpAnswers.ok(
                exchange,
                shown(adapters.named(HttpCall.of(exchange).pathParam("name")).orElseThrow()));
    }

    private Map<String, Object> shown(AdapterRegistry.State state) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", state.adapter().name());
        shown.put("type", state.adapter().type().word());
        shown.put("source", state.adapter().source());
        shown.put("family", state.adapter().family().word());
        shown.put("trust_mode", state.adapter().trustMode().word());
        shown.put("account", state.adapter().account().orElse("operator"));
        shown.put("enabled", state.enabled());
        shown.put("on", state.on());
        shown.put("off_reason", state.offReason());
        shown.put(
                "secrets",
                state.adapter().verifier().secrets().stream()
                        .map(secret -> shown(state.adapter().name(), secret))
                        .toList());
        return shown;
    }

    private Map<String, Object> shown(String adapter, Secret secret) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", secret.id());
        shown.put(
                "not_after",
                secret.notAfter() == null ? null : secret.notAfter().toString());
        shown.put("matched", adapters.matches(adapter, secret.id()));
        return shown;
    }

    /** The one field that a body may and must have. */
    private static JsonNode only(JsonNode body, String field) {
        if (!body.isObject() || body.size() != 1 || !body.has(field)) {
            throw new FieldError(field, "the body must be an object with this field and no other").refusal();
        }
        return body.get(field);
    }
}
