package verify;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import model.Refusal;
import model.TrustMode;

/**
 * Lets in who knows the token. It says who sends and nothing about the bytes, so an event that came this way is never
 * marked as verified.
 */
public final class TokenVerifier implements Verifier {

    private final String adapter;
    private final TokenScheme scheme;
    private final List<Known> known;
    private final List<Secret> secrets;

    /**
     * A token of which the hub needs no more than this to recognise it.
     *
     * @param id its name; null when it has none
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares these
    private record Known(byte[] digest, String id, Instant notAfter) {}

    /**
     * @param adapter the adapter's name, for messages
     * @param tokens any of them will do as long as it lives; at least one
     */
    public TokenVerifier(String adapter, TokenScheme scheme, List<Secret> tokens) {
        this(
                adapter,
                scheme,
                List.copyOf(tokens),
                tokens.stream()
                        .map(token -> new Known(
                                sha256(token.value().getBytes(StandardCharsets.UTF_8)), token.id(), token.notAfter()))
                        .toArray(Known[]::new));
    }

    private TokenVerifier(String adapter, TokenScheme scheme, List<Secret> secrets, Known... known) {
        if (known.length == 0) {
            throw new IllegalArgumentException(adapter + ": without a token nobody can be kept out");
        }
        this.adapter = adapter;
        this.scheme = scheme;
        this.known = List.of(known);
        this.secrets = secrets;
    }

    /** For a token of a generic sender of which only the SHA-256 is known. */
    public static TokenVerifier ofDigest(String adapter, byte[] sha256) {
        return new TokenVerifier(adapter, TokenScheme.GENERIC, List.of(), new Known(sha256.clone(), null, null));
    }

    /** The same, while a former token still works. */
    public static TokenVerifier ofDigests(String adapter, byte[] sha256, byte[] formerSha256, Instant formerNotAfter) {
        return new TokenVerifier(
                adapter,
                TokenScheme.GENERIC,
                List.of(),
                new Known(sha256.clone(), null, null),
                new Known(formerSha256.clone(), "former", formerNotAfter));
    }

    @Override
    public TrustMode trustMode() {
        return TrustMode.TOKEN;
    }

    @Override
    public List<Secret> secrets() {
        return secrets;
    }

    @Override
    public Verified verify(Request request) {
        Reading reading = new Reading(request, List.of());
        boolean any = false;
        for (TokenPlace place : scheme.places()) {
            byte[] shown = place.in(reading);
            any |= shown != null;
            Known match = shown == null ? null : matching(shown, request.at());
            if (match != null) {
                String named = match.id == null ? "" : ", secret \"" + match.id + "\"";
                return scheme.verified(reading, place.shown() + named, match.id);
            }
        }
        throw any
                ? new Refusal(
                        Refusal.Code.TOKEN_MISMATCH,
                        adapter + ": the token is not the one of this adapter (token_mismatch)")
                : new Refusal(
                        Refusal.Code.TOKEN_MISSING,
                        "%s: no token in %s (token_missing)".formatted(adapter, scheme.shown()));
    }

    @Override
    public List<String> explain(Request request) {
        Reading reading = new Reading(request, List.of());
        List<String> lines = new ArrayList<>();
        lines.add("scheme     a token in " + scheme.shown() + "; the body is not signed");
        for (TokenPlace place : scheme.places()) {
            byte[] shown = place.in(reading);
            lines.add("place      %s: %s"
                    .formatted(
                            place.shown(),
                            shown == null
                                    ? "nothing"
                                    : "%d bytes, %s"
                                            .formatted(
                                                    shown.length,
                                                    matching(shown, request.at()) == null
                                                            ? "not the adapter's"
                                                            : "the adapter's")));
        }
        return lines;
    }

    /** Digests of one length are compared, so that not even the token's length shows in the time it takes. */
    private Known matching(byte[] candidate, Instant at) {
        byte[] digest = sha256(candidate);
        Known match = null;
        for (Known token : known) {
            boolean live = token.notAfter == null || at.isBefore(token.notAfter);
            if (MessageDigest.isEqual(token.digest, digest) && live) {
                match = token;
            }
        }
        return match;
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
