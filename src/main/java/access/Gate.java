package access;

import http.HttpCall;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import model.Refusal;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;

/**
 * Lets a request in when it bears a live credential. What the database said is remembered for a while, also that a
 * credential is unknown, so that neither work nor guessing costs a query each; the memory is dropped when credentials change.
 */
public final class Gate {
    /** Finds a credential by its hash; {@code routes.AccountRoutes} answers. */
    public static final String FIND = "direct:find-credential";

    private static final Duration REMEMBERED = Duration.ofSeconds(60);
    private static final Duration REMEMBERED_UNKNOWN = Duration.ofSeconds(2);
    private static final int MOST = 10_000;
    private static final String BEARER = "bearer ";

    private final ProducerTemplate producer;
    private final Map<ByteBuffer, Answer> known = new ConcurrentHashMap<>();

    private record Answer(Optional<Caller> caller, long until) {}

    public Gate(CamelContext context) {
        this.producer = context.createProducerTemplate();
    }

    /** First step of every route of the API. */
    public void authenticate(Exchange exchange) {
        exchange.setProperty(
                Caller.PROPERTY,
                caller(HttpCall.of(exchange).header("authorization")).orElseThrow(Gate::unauthorized));
    }

    /** The same, for the operator's routes: to anybody else they do not exist. */
    public void authenticateOperator(Exchange exchange) {
        authenticate(exchange);
        if (!Caller.of(exchange).operator()) {
            throw new Refusal(
                    Refusal.Code.NOT_FOUND,
                    "nothing at " + HttpCall.of(exchange).path());
        }
    }

    /** Who bears this Authorization header, if anybody. */
    public Optional<Caller> caller(String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return Optional.empty();
        }
        byte[] hash =
                Credential.of(authorization.substring(BEARER.length()).trim()).hash();
        ByteBuffer key = ByteBuffer.wrap(hash);
        Answer answer = known.get(key);
        if (answer == null || answer.until - System.nanoTime() < 0) {
            if (known.size() >= MOST) {
                known.clear();
            }
            answer = ask(hash);
            known.put(key, answer);
        }
        return answer.caller;
    }

    /** Forgets what was remembered: credentials changed, or changes may have been missed. */
    public void forget() {
        known.clear();
    }

    private Answer ask(byte[] hash) {
        List<?> rows = producer.requestBody(FIND, Map.of("hash", hash), List.class);
        Optional<Caller> caller = rows.stream().findFirst().map(row -> {
            Map<?, ?> found = (Map<?, ?>) row;
            return new Caller(
                    (Long) found.get("account_id"), (String) found.get("name"), "operator".equals(found.get("role")));
        });
        Duration remembered = caller.isPresent() ? REMEMBERED : REMEMBERED_UNKNOWN;
        return new Answer(caller, System.nanoTime() + remembered.toNanos());
    }

    private static Refusal unauthorized() {
        return new Refusal(
                Refusal.Code.UNAUTHORIZED,
                "send a live credential as: Authorization: Bearer <credential> (unauthorized)");
    }
}
