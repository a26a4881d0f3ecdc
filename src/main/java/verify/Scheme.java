package verify;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How a provider signs, as data: another provider of the same shape is another value, not another class.
 *
 * @param signature where the signature stands
 * @param separator what stands between several signatures, or between a signature and what goes with it
 * @param versions how a signature is made, by the beginning of the secret; the first is for secrets that begin with none
 * @param signed what the signature covers
 * @param stamp when it was signed; empty where the scheme has no time
 * @param bodyDigest where the SHA-256 of a body that is no form stands, in hex; empty where the body itself is signed
 * @param eventType what happened
 * @param identity the same for every copy of a delivery
 * @param uniqueBodies whether the provider never sends equal bodies in two deliveries
 */
public record Scheme(
        RequestPart signature,
        String separator,
        List<Version> versions,
        SignedBytes signed,
        Optional<Stamp> stamp,
        Optional<RequestPart> bodyDigest,
        Selection eventType,
        Selection identity,
        boolean uniqueBodies) {

    public Scheme {
        versions = List.copyOf(versions);
        if (versions.isEmpty() || separator.isEmpty()) {
            throw new IllegalArgumentException("a scheme needs a way to sign, and a separator");
        }
        if (stamp.isEmpty() && signed.coversTimestamp()) {
            throw new IllegalArgumentException("{timestamp} is signed, but timestamp: does not say where it stands");
        }
    }

    /**
     * One way to sign.
     *
     * @param prefix what marks a signature of this version, for example {@code sha256=}; empty when nothing does
     * @param keyForm how the secret is written
     * @param keyPrefix what a secret of this version begins with, taken off before use; empty when with nothing
     */
    public record Version(String prefix, Algorithm algorithm, Encoding encoding, KeyForm keyForm, String keyPrefix) {}

    /** How a secret becomes a key. */
    public enum KeyForm {
        /** The text's own bytes, in UTF-8. */
        TEXT,
        /** Bytes in base64; of a public key 32 raw bytes (Ed25519) or DER (SubjectPublicKeyInfo). */
        BASE64,
        /** The same in hex. */
        HEX,
        /** A public key or an X.509 certificate in PEM. */
        PEM;

        /** The word in a table of schemes. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The time at which a delivery was signed.
     *
     * @param part where it stands
     * @param tolerance how far it may lie from the hub's own time, in both directions; zero: however far
     */
    public record Stamp(RequestPart part, TimeForm form, Duration tolerance) {}

    /** The version that a secret belongs to: the one with the longest beginning that it has. */
    Version versionOf(Secret secret) {
        Version best = versions.get(0);
        int length = -1;
        for (Version version : versions) {
            if (secret.value().startsWith(version.keyPrefix) && version.keyPrefix.length() > length) {
                best = version;
                length = version.keyPrefix.length();
            }
        }
        return best;
    }

    /** Whether the body is covered, so that an event can be called verified. */
    boolean coversBody() {
        return signed.coversBody() || bodyDigest.isPresent();
    }

    /** Whether a signature tells when it was made. */
    boolean coversTime() {
        return stamp.isPresent()
                && (signed.coversTimestamp() || signed.covers(stamp.get().part()));
    }

    /** Whether who signs vouches for the event type as well; true when the scheme has none. */
    public boolean coversEventType() {
        return eventType.allMatch(signed::covers);
    }

    /** Whether who signs vouches for the identity as well; true when the scheme has none. */
    public boolean coversIdentity() {
        return identity.allMatch(signed::covers);
    }

    /** The scheme with another tolerance; one without a time stays as it is. */
    public Scheme within(Duration tolerance) {
        return new Scheme(
                signature,
                separator,
                versions,
                signed,
                stamp.map(old -> new Stamp(old.part, old.form, tolerance)),
                bodyDigest,
                eventType,
                identity,
                uniqueBodies);
    }

    /** The scheme where equal bodies are never two deliveries, or may be. */
    public Scheme withUniqueBodies(boolean unique) {
        return new Scheme(signature, separator, versions, signed, stamp, bodyDigest, eventType, identity, unique);
    }
}
