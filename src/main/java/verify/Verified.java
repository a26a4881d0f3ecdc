package verify;

/**
 * What a verifier found out about a request that it lets in.
 *
 * @param verified true only when a signature covered the bytes
 * @param detail what vouched for it, in words for a person; never a secret
 * @param eventType the sender's name for what happened, cleaned and cut; null when it gives none
 * @param externalId the identity of the delivery, in the form that is stored; null when the sender gives none
 * @param replayKey what tells a replay under another identity apart from an honest second delivery: SHA-256 (hex) of the
 *     signature, for schemes whose bodies are unique and whose signature has no time; else null
 * @param secret the name of the secret that matched; null when it has none
 */
public record Verified(
        boolean verified, String detail, String eventType, String externalId, String replayKey, String secret) {

    /** More than any provider uses; what is longer is cut, for it is only shown and compared with literals. */
    private static final int MAX_EVENT_TYPE_CODE_POINTS = 128;

    public Verified {
        eventType = Text.line(eventType, MAX_EVENT_TYPE_CODE_POINTS);
        externalId = Text.externalId(externalId);
    }
}
