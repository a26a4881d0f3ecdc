package adapters;

import java.time.Duration;
import java.util.Optional;
import model.Family;
import model.Refusal;
import model.TrustMode;
import verify.Handshake;
import verify.Verifier;

/**
 * One adapter, ready to use. It holds no secret in the open: what is secret lives inside its verifier.
 *
 * @param account the account that owns its events and todos; empty for the operator's
 * @param name unique in the file
 * @param source what {@code events.source} says
 * @param family how deliveries reach it
 * @param trustMode what vouches for a delivery
 * @param verifier decides who may come in; lets nobody in when the adapter is off or takes no webhooks
 * @param handshake answers what its sender asks before it delivers
 * @param maxBody largest body, in bytes
 * @param bodyTimeout how long a sender may take to send its body
 * @param limits how much it takes in, and from whom
 * @param redact what is hidden beside what always is
 * @param rules what becomes of a delivery
 * @param pull where the hub fetches its deliveries; empty when they are brought
 * @param offReason why it is off, for the operator; empty when it is on as far as the file goes
 */
public record Adapter(
        Optional<String> account,
        String name,
        AdapterType type,
        String source,
        Family family,
        TrustMode trustMode,
        Verifier verifier,
        Handshake handshake,
        long maxBody,
        Duration bodyTimeout,
        Limits limits,
        Redact redact,
        Rules rules,
        Optional<Pull> pull,
        Optional<String> offReason) {

    /**
     * For a body that no HTTP door has bounded.
     *
     * @throws Refusal {@code body_too_large}
     */
    public void checkSize(byte[] body) {
        if (body.length > maxBody) {
            throw new Refusal(
                    Refusal.Code.BODY_TOO_LARGE,
                    name + ": the body has " + body.length + " bytes, max_body is " + maxBody + " (body_too_large)");
        }
    }

    /** The same adapter behind another gate. */
    Adapter behind(AdapterEntry.Gate gate) {
        return new Adapter(
                account,
                name,
                type,
                source,
                family,
                gate.verifier().trustMode(),
                gate.verifier(),
                gate.handshake(),
                maxBody,
                bodyTimeout,
                limits,
                redact,
                rules,
                pull,
                Optional.ofNullable(gate.offReason()));
    }
}
