package model;

import java.util.Map;

/**
 * One delivery as its door accepted it: verified, untrusted headers stripped, secrets redacted, bytes exactly as sent.
 *
 * @param accountId the account that the adapter belongs to
 * @param adapter the adapter's name, unique in adapters.yaml
 * @param source what {@code events.source} says: {@code github}, {@code generic:homelab}, {@code redis:deploys}
 * @param verified whether a signature covered the bytes
 * @param verifyDetail how it was verified, in words for a person; may be null
 * @param eventType the provider's name for what happened; may be null
 * @param externalId the identity that makes a second copy recognisable; null when the sender gives none
 * @param contentType as sent; may be null
 * @param headers names in lower case, values joined by a comma, secrets already replaced by {@code «redacted»}
 * @param payload the body, byte for byte
 * @param sourceIp where it came from, for HTTP; null elsewhere
 * @param replayedFrom the event whose bytes these are, for a replay; null elsewhere
 * @param replayKey SHA-256 (hex) of the signature, where equal signed bodies are one delivery; null elsewhere
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes are the record; nobody compares deliveries
public record Delivery(
        long accountId,
        String adapter,
        String source,
        Family family,
        TrustMode trustMode,
        boolean verified,
        String verifyDetail,
        String eventType,
        String externalId,
        String contentType,
        Map<String, String> headers,
        byte[] payload,
        String sourceIp,
        Long replayedFrom,
        String replayKey) {}
