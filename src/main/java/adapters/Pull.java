package adapters;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * How the hub fetches an adapter's deliveries from a broker.
 *
 * @param component the Camel component that reads: {@code redis-stream}
 * @param connection name of the connection to the broker
 * @param key what is read: a stream, a list, a channel
 * @param options of the component's endpoint, beside the connection
 * @param id where an identity of the sender's own stands; empty for the broker's
 * @param eventType where the event type stands
 * @param sameBody within which time equal bodies are one delivery; empty when they are as many as were sent
 */
public record Pull(
        String component,
        String connection,
        String key,
        Map<String, Object> options,
        Optional<Selector> id,
        Optional<Selector> eventType,
        Optional<Duration> sameBody) {

    /**
     * The identity of an entry, null when it has none.
     *
     * @param entryId what the broker calls it; null when it calls it nothing
     * @param sent when it was sent, which must be the same whenever it is read again
     */
    public String identity(Map<String, String> fields, byte[] body, String entryId, Instant sent) {
        if (sameBody.isPresent()) {
            return "body:" + Math.floorDiv(sent.toEpochMilli(), sameBody.get().toMillis()) + ":" + sha256(body);
        }
        return id.flatMap(selector -> selector.in(fields, body)).orElse(entryId);
    }

    /** What happened, in the sender's word; null when it gives none. */
    public String typeOf(Map<String, String> fields, byte[] body) {
        return eventType.flatMap(selector -> selector.in(fields, body)).orElse(null);
    }

    private static String sha256(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
