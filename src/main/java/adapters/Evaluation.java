package adapters;

import dev.cel.runtime.CelVariableResolver;
import java.util.Optional;

/**
 * One delivery in front of the rules of its adapter. The body is parsed when a rule first asks for it, once: a rule
 * that only looks at the type costs no parsing.
 */
final class Evaluation implements CelVariableResolver {

    private final Facts facts;
    private final long maxBody;
    private final Redact redact;
    private Payload payload;

    /** @param maxBody bytes; rules see no payload in a larger body */
    Evaluation(Facts facts, long maxBody, Redact redact) {
        this.facts = facts;
        this.redact = redact;
        this.maxBody = maxBody;
    }

    Facts facts() {
        return facts;
    }

    @Override
    public Optional<Object> find(String name) {
        return switch (name) {
            case "source" -> Optional.of(facts.source());
            case "type" -> Optional.of(facts.type() == null ? "" : facts.type());
            case "trust_mode" -> Optional.of(facts.trustMode().word());
            case "verified" -> Optional.of(facts.verified());
            case "size" -> Optional.of((long) facts.body().length);
            case "received_at" -> Optional.of(facts.receivedAt());
            case "headers" -> Optional.of(facts.headers());
            case "payload" -> Optional.of(payload().value());
            default -> Optional.empty();
        };
    }

    /** Whether the payload was asked for and is not there. */
    boolean foundNoPayload() {
        return payload != null && payload.isAbsent();
    }

    /** What was found when a rule asked for the payload; empty when none did. */
    Optional<Payload.Form> payloadForm() {
        return Optional.ofNullable(payload).map(Payload::form);
    }

    private Payload payload() {
        if (payload == null) {
            payload = facts.body().length > maxBody
                    ? Payload.TOO_LARGE
                    : Payload.of(facts.contentType(), redact.body(facts.contentType(), facts.body()));
        }
        return payload;
    }
}
