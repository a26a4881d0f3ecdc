package verify;

/**
 * How a provider signs, as data: another provider of the same shape is another value, not another class.
 *
 * <p>The signature is HMAC-SHA256 over the raw body, written as {@code <prefix><64 hex digits>}. A header may hold
 * several, separated by commas, beside versions that the hub does not know; any valid one is enough.
 *
 * @param signatureHeader the header that carries the signature, spelt as the provider spells it
 * @param prefix what marks a signature of this version, for example {@code sha256=}
 * @param eventTypeHeader the header that names what happened
 * @param identityHeader the header whose value is the same for every copy of a delivery
 */
public record SignatureScheme(String signatureHeader, String prefix, String eventTypeHeader, String identityHeader) {

    /** docs.github.com, "Validating webhook deliveries" and "Delivery headers". */
    public static final SignatureScheme GITHUB =
            new SignatureScheme("X-Hub-Signature-256", "sha256=", "X-GitHub-Event", "X-GitHub-Delivery");
}
