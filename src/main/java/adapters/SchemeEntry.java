package adapters;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import verify.Algorithm;
import verify.Encoding;
import verify.RequestPart;
import verify.Scheme;
import verify.Selection;
import verify.SignedBytes;
import verify.TimeForm;
import verify.TokenPlace;
import verify.TokenScheme;

/**
 * A way to verify as {@code schemes.yaml} writes it; {@code type: hmac} in adapters.yaml takes the keys of one that signs.
 * What is absent is null.
 *
 * @param title the provider's name, for people
 * @param docs the page that describes the scheme
 * @param secretHint what belongs into {@code secret:}, for people
 * @param signature where the signature stands
 * @param prefix in front of each signature; default: nothing
 * @param separator between several; default: a comma
 * @param algorithm default: {@code hmac-sha256}
 * @param encoding default: {@code hex}
 * @param signed what is signed; default: the body
 * @param key how the secret is written; default: {@code text}
 * @param keyPrefix what the secret begins with and is taken off
 * @param asymmetric how it is when the secret begins with another prefix
 * @param timestamp where the time of signing stands
 * @param timestampUnit default: {@code s}
 * @param tolerance default: 5 minutes
 * @param bodyDigest where the SHA-256 of a body stands that is not itself signed
 * @param token where a token stands, instead of all this
 * @param program a scheme that is a program, instead of all this
 * @param uniqueBodies whether equal bodies are never two deliveries
 * @param withoutTodo event types that make no todo when adapters.yaml has no rules
 * @param handshake what the provider asks before it delivers
 */
record SchemeEntry(
        String title,
        String docs,
        String secretHint,
        String signature,
        String prefix,
        String separator,
        String algorithm,
        String encoding,
        String signed,
        String key,
        String keyPrefix,
        Asymmetric asymmetric,
        String timestamp,
        String timestampUnit,
        String tolerance,
        String bodyDigest,

        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<String> token,

        String program,
        String issuer,
        String jwks,

        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<String> eventType,

        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<String> id,

        Boolean uniqueBodies,
        String maxBody,

        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<String> withoutTodo,

        String handshake) {

    static final String DEFAULT_TOLERANCE = "5m";

    /** {@code asymmetric:}: what differs from the keys beside it. */
    record Asymmetric(String keyPrefix, String prefix, String algorithm, String encoding, String key) {}

    boolean isToken() {
        return token != null;
    }

    boolean isProgram() {
        return program != null;
    }

    boolean hasTime() {
        return timestamp != null;
    }

    Selection eventTypes() {
        return eventType == null ? Selection.NONE : Selection.of(eventType);
    }

    Selection identities() {
        return id == null ? Selection.NONE : Selection.of(id);
    }

    /** @throws IllegalArgumentException naming the key and what is wrong with it */
    TokenScheme tokenScheme() {
        return new TokenScheme(token.stream().map(TokenPlace::of).toList(), eventTypes(), identities());
    }

    /** @throws IllegalArgumentException naming the key and what is wrong with it */
    Scheme scheme() {
        Scheme.Version version = new Scheme.Version(
                prefix == null ? "" : prefix,
                word("algorithm", algorithm, Algorithm.HMAC_SHA256, Algorithm::of),
                word("encoding", encoding, Encoding.HEX, Encoding::of),
                keyForm(key),
                keyPrefix == null ? "" : keyPrefix);
        List<Scheme.Version> versions = new ArrayList<>(List.of(version));
        if (asymmetric != null) {
            versions.add(new Scheme.Version(
                    asymmetric.prefix == null ? version.prefix() : asymmetric.prefix,
                    word("algorithm", asymmetric.algorithm, version.algorithm(), Algorithm::of),
                    word("encoding", asymmetric.encoding, version.encoding(), Encoding::of),
                    asymmetric.key == null ? version.keyForm() : keyForm(asymmetric.key),
                    asymmetric.keyPrefix));
        }
        return new Scheme(
                keyed("signature", signature, RequestPart::of),
                separator == null ? "," : separator,
                versions,
                signed == null ? SignedBytes.BODY : keyed("signed", signed, SignedBytes::of),
                Optional.ofNullable(timestamp).map(part -> stamp()),
                Optional.ofNullable(bodyDigest).map(part -> keyed("body_digest", part, RequestPart::of)),
                eventType == null ? Selection.NONE : keyed("event_type", eventType, Selection::of),
                id == null ? Selection.NONE : keyed("id", id, Selection::of),
                Boolean.TRUE.equals(uniqueBodies));
    }

    private Scheme.Stamp stamp() {
        return new Scheme.Stamp(
                keyed("timestamp", timestamp, RequestPart::of),
                timestampUnit == null ? TimeForm.S : TimeForm.valueOf(timestampUnit.toUpperCase(java.util.Locale.ROOT)),
                tolerance(tolerance == null ? DEFAULT_TOLERANCE : tolerance));
    }

    /** {@code 0} switches the window off. */
    static Duration tolerance(String written) {
        return written.equals("0") ? Duration.ZERO : Quantity.duration(written);
    }

    private static Scheme.KeyForm keyForm(String word) {
        return word == null ? Scheme.KeyForm.TEXT : Scheme.KeyForm.valueOf(word.toUpperCase(java.util.Locale.ROOT));
    }

    private static <T> T word(String key, String word, T otherwise, Function<String, Optional<T>> known) {
        return word == null
                ? otherwise
                : known.apply(word)
                        .orElseThrow(() -> new IllegalArgumentException(key + ": " + word + " is not known"));
    }

    private static <F, T> T keyed(String key, F written, Function<F, T> reading) {
        try {
            return reading.apply(written);
        } catch (IllegalArgumentException unfit) {
            throw new IllegalArgumentException(key + ": " + unfit.getMessage(), unfit);
        }
    }
}
