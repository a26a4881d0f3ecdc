package routes;

import adapters.AdapterRegistry;
import adapters.Redact;
import http.HttpCall;
import intake.IntakeEndpoint;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import model.Delivery;
import model.Receipt;
import model.Refusal;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import pace.LogPace;
import verify.Handshake;
import verify.Request;
import verify.Text;
import verify.Verified;

/** What every HTTP door does, in the order in which the methods stand here. */
final class Door {
    private static final Logger LOG = LoggerFactory.getLogger(Door.class);
    private static final Set<Refusal.Code> UNVERIFIED = EnumSet.of(
            Refusal.Code.SIGNATURE_MISSING,
            Refusal.Code.SIGNATURE_MALFORMED,
            Refusal.Code.SIGNATURE_MISMATCH,
            Refusal.Code.SIGNATURE_EXPIRED,
            Refusal.Code.TOKEN_MISSING,
            Refusal.Code.TOKEN_MISMATCH);
    private static final String ADAPTER = "DoorAdapter";
    private static final String VERIFIED = "DoorVerified";

    private final AdapterRegistry registry;
    private final Function<String, Optional<AdapterRegistry.State>> adapters;
    private final LogPace refusals = new LogPace();

    /**
     * @param adapters finds the adapter of a name, if it is on
     */
    Door(AdapterRegistry registry, Function<String, Optional<AdapterRegistry.State>> adapters) {
        this.registry = registry;
        this.adapters = adapters;
    }

    /** Answers what a provider asks before it signs anything: nothing is stored, and the route ends. */
    void greet(Exchange exchange) {
        HttpCall call = HttpCall.of(exchange);
        AdapterRegistry.State state = find(exchange, call);
        guarded(state, call, () -> {
            answer(exchange, state.adapter().handshake().unsigned(request(call)));
            return null;
        });
    }

    /** For a provider that asks and does not deliver: what is no question is refused. */
    void onlyGreet(Exchange exchange) {
        greet(exchange);
        if (!exchange.isRouteStop()) {
            throw new Refusal(Refusal.Code.METHOD_NOT_ALLOWED, "deliveries come by POST (method_not_allowed)")
                    .with("allow", "POST");
        }
    }

    /** Finds the adapter and lets it check the bytes as they were sent. */
    void verify(Exchange exchange) {
        HttpCall call = HttpCall.of(exchange);
        AdapterRegistry.State state = find(exchange, call);
        Verified verified =
                guarded(state, call, () -> state.adapter().verifier().verify(request(call)));
        exchange.setProperty(VERIFIED, verified);
        String name = state.adapter().name();
        if (registry.countMatch(name, verified.secret()) && verified.secret() != null) {
            LOG.info(
                    "a secret matched for the first time since the start adapter={} secret={}",
                    name,
                    verified.secret());
        }
    }

    /** Answers a question that was signed like a delivery: nothing is stored, and the route ends. */
    void answerQuestion(Exchange exchange) {
        HttpCall call = HttpCall.of(exchange);
        AdapterRegistry.State state = exchange.getProperty(ADAPTER, AdapterRegistry.State.class);
        guarded(state, call, () -> {
            answer(exchange, state.adapter().handshake().signed(request(call)));
            return null;
        });
    }

    private AdapterRegistry.State find(Exchange exchange, HttpCall call) {
        AdapterRegistry.State state = exchange.getProperty(ADAPTER, AdapterRegistry.State.class);
        if (state == null) {
            state = adapters.apply(call.pathParam("name")).orElseThrow(() -> unknown(call.path()));
            exchange.setProperty(ADAPTER, state);
        }
        return state;
    }

    private static Request request(HttpCall call) {
        return new Request(call.method(), call.url(), call.headers(), call::queryParam, call.body(), Instant.now());
    }

    private <T> T guarded(AdapterRegistry.State state, HttpCall call, Supplier<T> step) {
        try {
            return step.get();
        } catch (Refusal refusal) {
            refusals.log(suppressed -> LOG.warn(
                    "refused adapter={} code={} source_ip={} suppressed={} detail={}",
                    state.adapter().name(),
                    refusal.code().word(),
                    call.remoteAddress(),
                    suppressed,
                    refusal.getMessage()));
            // the log and ./switchboard verify say why; a stranger learns no more than that it was not let in
            throw UNVERIFIED.contains(refusal.code())
                    ? new Refusal(
                            refusal.code(),
                            "this delivery was not let in (" + refusal.code().word() + ")",
                            refusal)
                    : refusal;
        }
    }

    private static void answer(Exchange exchange, Optional<Handshake.Answer> answer) {
        answer.ifPresent(said -> {
            HttpAnswers.text(exchange, said.status(), said.contentType(), said.body());
            exchange.setRouteStop(true);
        });
    }

    /** Leaves what is not trusted behind: from here on there is only the delivery. */
    void toDelivery(Exchange exchange) {
        HttpCall call = HttpCall.of(exchange);
        AdapterRegistry.State state = exchange.getProperty(ADAPTER, AdapterRegistry.State.class);
        Verified verified = exchange.getProperty(VERIFIED, Verified.class);
        Redact redact = state.adapter().redact();
        exchange.getMessage().removeHeaders("*");
        exchange.getMessage()
                .setBody(new Delivery(
                        state.accountId(),
                        state.adapter().name(),
                        state.adapter().source(),
                        state.adapter().family(),
                        state.adapter().trustMode(),
                        verified.verified(),
                        redact.stored() ? verified.detail() + "; stored redacted" : verified.detail(),
                        verified.eventType(),
                        verified.externalId(),
                        call.header("content-type"),
                        redact.headers(call.headers()),
                        redact.stored() ? redact.body(call.header("content-type"), call.body()) : call.body(),
                        call.remoteAddress(),
                        null,
                        verified.replayKey()));
    }

    /** After the commit: 202 for what is new, 200 for what was met before. */
    void accepted(Exchange exchange) {
        Receipt receipt = exchange.getProperty(IntakeEndpoint.RECEIPT, Receipt.class);
        if (LOG.isDebugEnabled()) {
            Verified verified = exchange.getProperty(VERIFIED, Verified.class);
            LOG.debug(
                    "accepted delivery={} event={} duplicate={} todos={}",
                    Text.brief(verified.externalId()),
                    receipt.eventId(),
                    receipt.duplicate(),
                    receipt.todos());
        }
        HttpAnswers.json(exchange, receipt.duplicate() ? 200 : 202, shown(receipt));
    }

    private static Map<String, Object> shown(Receipt receipt) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("event_id", receipt.eventId());
        shown.put("duplicate", receipt.duplicate());
        shown.put("todos", receipt.todos());
        return shown;
    }

    static Refusal unknown(String path) {
        return new Refusal(Refusal.Code.NOT_FOUND, "nothing at " + path + " (not_found)");
    }
}
