package adapters;

import java.time.Instant;
import java.util.Map;
import model.Delivery;
import model.TrustMode;

/**
 * What rules may look at. {@code source}, {@code type}, {@code trust_mode}, {@code verified}, {@code size} (of the
 * body, in bytes) and {@code received_at} are the hub's own words; {@code payload} and {@code headers} are the
 * sender's.
 *
 * @param type the event type; null when the sender gives none, which rules see as empty text
 * @param externalId the delivery's identity, for default keys; may be null
 * @param contentType as sent; may be null
 * @param headers names in lower case, redacted already
 * @param body the bytes as sent; parsed only when a rule asks for {@code payload}
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares facts
public record Facts(
        String source,
        String type,
        TrustMode trustMode,
        boolean verified,
        Instant receivedAt,
        String externalId,
        String contentType,
        Map<String, String> headers,
        byte[] body) {

    public static Facts of(Delivery delivery, Instant receivedAt) {
        return new Facts(
                delivery.source(),
                delivery.eventType(),
                delivery.trustMode(),
                delivery.verified(),
                receivedAt,
                delivery.externalId(),
                delivery.contentType(),
                delivery.headers(),
                delivery.payload());
    }
}
