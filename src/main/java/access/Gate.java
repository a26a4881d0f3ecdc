package access;

import http.HttpCall;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import model.Refusal;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.ProducerTemplate;
import pace.Allowance;

/**
 * Lets a request in when it bears a live credential that may do what it asks. What the database said is remembered for a
 * while, also that a credential is unknown, so that neither work nor guessing costs a query each. The memory is dropped
 * whenever access changes anywhere, and whenever news of that may have been missed; without news it is short. What writes
 * does not rely on it.
 */
public final class Gate {
    /** Finds a credential by its hash; {@code routes.CredentialRoutes} answers. */
    public static final String FIND = "direct:find-credential";

    private static final Duration REMEMBERED = Duration.ofSeconds(60);
    private static final Duration REMEMBERED_WITHOUT_NEWS = Duration.ofSeconds(1);
    private static final Duration REMEMBERED_UNKNOWN = Duration.ofSeconds(2);
    private static final int MOST = 10_000;
    private static final String BEARER = "bearer ";
    private static final String EPOCH = "SwitchboardAccessEpoch";

    private final ProducerTemplate producer;
    private final Map<ByteBuffer, Answer> known = new ConcurrentHashMap<>();
    /** Apart, so that who guesses does not push out who works. */
    private final Map<ByteBuffer, Answer> unknown = new ConcurrentHashMap<>();

    private final Map<UUID, Allowance> allowances = new ConcurrentHashMap<>();
    private final AtomicLong epoch = new AtomicLong();
    private volatile BooleanSupplier news = () -> true;

    /** @param epoch of the memory when the question left: an answer that a change has overtaken is worth nothing */
    private record Answer(Optional<Caller> caller, long epoch, long asked, long until) {}

    public Gate(CamelContext context) {
        this.producer = context.createProducerTemplate();
    }

    /** From now on this tells whether changes made elsewhere are heard of. */
    public void hearsWhile(BooleanSupplier listening) {
        news = listening;
    }

    /** First step of a route of the API that everybody may call. */
    public void authenticate(Exchange exchange) {
        long now = epoch.get();
        Caller caller = caller(HttpCall.of(exchange).header("authorization")).orElseThrow(Refusal::unauthorized);
        exchange.setProperty(Caller.PROPERTY, caller);
        exchange.setProperty(EPOCH, now);
        caller.endpoint().filter(scope -> scope.callsAMinute() != null).ifPresent(this::charge);
    }

    /** First step of every other route: who is not confined to an endpoint may do everything, an endpoint what it was vended for. */
    public Processor lets(Right right) {
        return exchange -> {
            authenticate(exchange);
            if (!Caller.of(exchange).may(right)) {
                throw new Refusal(
                        Refusal.Code.FORBIDDEN_VERB,
                        "this credential may not " + right.word() + ": GET /v1/me tells what it may (forbidden_verb)");
            }
        };
    }

    /** For what an account does about its own affairs: to an endpoint these routes do not exist. */
    public void authenticateAccount(Exchange exchange) {
        authenticate(exchange);
        letOnly(Caller.of(exchange).endpoint().isEmpty(), exchange);
    }

    /** The same, for the operator's routes. */
    public void authenticateOperator(Exchange exchange) {
        authenticate(exchange);
        letOnly(Caller.of(exchange).operator(), exchange);
    }

    private static void letOnly(boolean them, Exchange exchange) {
        if (!them) {
            throw new Refusal(
                    Refusal.Code.NOT_FOUND,
                    "nothing at " + HttpCall.of(exchange).path() + " (not_found)");
        }
    }

    private void charge(Endpoint endpoint) {
        if (allowances.size() >= MOST) {
            allowances.values().removeIf(Allowance::isFull);
        }
        int wait = allowances
                .computeIfAbsent(
                        endpoint.id(), id -> new Allowance(endpoint.callsAMinute() / 60.0, endpoint.callsAMinute()))
                .take();
        if (wait > 0) {
            throw new Refusal(
                            Refusal.Code.RATE_LIMITED,
                            "this endpoint may call " + endpoint.callsAMinute() + " times a minute; come back in "
                                    + wait + " s (rate_limited)")
                    .with("retry_after_seconds", wait);
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
        Answer answer = known.getOrDefault(key, unknown.get(key));
        if (answer == null || isStale(answer)) {
            answer = ask(hash);
            remember(key, answer);
        }
        return answer.caller;
    }

    private boolean isStale(Answer answer) {
        long now = System.nanoTime();
        return answer.epoch != epoch.get()
                || answer.until - now < 0
                || (now - answer.asked > REMEMBERED_WITHOUT_NEWS.toNanos() && !news.getAsBoolean());
    }

    private void remember(ByteBuffer key, Answer answer) {
        Map<ByteBuffer, Answer> memory = answer.caller.isPresent() ? known : unknown;
        if (memory.size() >= MOST) {
            memory.clear();
        }
        memory.put(key, answer);
        (memory == known ? unknown : known).remove(key);
    }

    /** Forgets what was remembered: access changed, or changes may have been missed. */
    public void forget() {
        // first, so that an answer which is under way counts as overtaken
        epoch.incrementAndGet();
        known.clear();
        unknown.clear();
    }

    /** Whether access has changed since this call was let in; if so, who it waits for must be looked at again. */
    public boolean hasChangedSince(Exchange exchange) {
        return exchange.getProperty(EPOCH, Long.class) != epoch.get();
    }

    private Answer ask(byte[] hash) {
        long before = epoch.get();
        List<?> rows = producer.requestBody(FIND, Map.of("hash", hash), List.class);
        long now = System.nanoTime();
        if (rows.isEmpty()) {
            return new Answer(Optional.empty(), before, now, now + REMEMBERED_UNKNOWN.toNanos());
        }
        Map<?, ?> found = (Map<?, ?>) rows.get(0);
        return new Answer(Optional.of(caller(found)), before, now, now + remembered((Double) found.get("expires_in")));
    }

    /** Not beyond its end, by the database's clock. */
    private static long remembered(Double expiresIn) {
        return expiresIn == null || expiresIn > REMEMBERED.toSeconds()
                ? REMEMBERED.toNanos()
                : (long) (expiresIn * 1e9);
    }

    private static Caller caller(Map<?, ?> found) {
        Optional<Endpoint> endpoint = Optional.ofNullable((String) found.get("endpoint_id"))
                .map(id -> new Endpoint(
                        UUID.fromString(id),
                        (String) (found.get("agent") == null ? found.get("friend") : found.get("agent")),
                        found.get("friend") != null,
                        list(found.get("queues")),
                        Right.stored(list(found.get("verbs"))),
                        (Integer) found.get("rate_limit")));
        return new Caller(
                (Long) found.get("credential_id"),
                (String) found.get("prefix"),
                (Long) found.get("account_id"),
                (String) found.get("account"),
                (String) found.get("role"),
                endpoint);
    }

    private static List<String> list(Object joined) {
        return Arrays.asList(((String) joined).split(","));
    }
}
