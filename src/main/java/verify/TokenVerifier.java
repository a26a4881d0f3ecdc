package verify;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import model.Refusal;
import model.TrustMode;

/**
 * Lets in who knows the token. It says who sends and nothing about the bytes, so an event that came this way is never
 * marked as verified.
 *
 * <p>The token is looked for in {@code Authorization: Bearer}, {@code X-Switchboard-Token} and {@code ?token=}; one
 * that matches is enough, whatever stands in the others (a proxy may use {@code Authorization} for itself).
 */
public final class TokenVerifier implements Verifier {

    private static final String BEARER = "Bearer ";

    private final String adapter;
    private final byte[] digest;

    /**
     * @param adapter the adapter's name, for messages
     * @param token the shared token; never blank
     */
    public TokenVerifier(String adapter, String token) {
        this(adapter, sha256(notBlank(adapter, token).getBytes(StandardCharsets.UTF_8)));
    }

    private TokenVerifier(String adapter, byte[] digest) {
        this.adapter = adapter;
        this.digest = digest;
    }

    /** For a token of which only the SHA-256 is known. */
    public static TokenVerifier ofDigest(String adapter, byte[] sha256) {
        return new TokenVerifier(adapter, sha256.clone());
    }

    private static String notBlank(String adapter, String token) {
        if (token.isBlank()) {
            throw new IllegalArgumentException(adapter + ": a blank token cannot keep anybody out");
        }
        return token;
    }

    @Override
    public TrustMode trustMode() {
        return TrustMode.TOKEN;
    }

    @Override
    public Verified verify(Request request) {
        String bearer = bearer(request.header("Authorization"));
        String header = request.header("X-Switchboard-Token");
        String parameter = request.parameter("token");
        if (bearer == null && header == null && parameter == null) {
            throw new Refusal(
                    Refusal.Code.TOKEN_MISSING,
                    adapter + ": no token in Authorization: Bearer, X-Switchboard-Token or ?token= (token_missing)");
        }

        if (matches(headerBytes(bearer))) {
            return SenderHeaders.verified(request, "Authorization: Bearer");
        }
        if (matches(headerBytes(header))) {
            return SenderHeaders.verified(request, "X-Switchboard-Token");
        }
        if (parameter != null && matches(parameter.getBytes(StandardCharsets.UTF_8))) {
            return SenderHeaders.verified(request, "?token=");
        }
        throw new Refusal(
                Refusal.Code.TOKEN_MISMATCH, adapter + ": the token is not the one of this adapter (token_mismatch)");
    }

    /** Digests of one length are compared, so that not even the token's length shows in the time it takes. */
    private boolean matches(byte[] candidate) {
        return candidate != null && MessageDigest.isEqual(digest, sha256(candidate));
    }

    private static String bearer(String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return null;
        }
        String token = authorization.substring(BEARER.length()).strip();
        return token.isEmpty() ? null : token;
    }

    /** The bytes as they were on the wire: an HTTP server hands each byte of a header on as one Latin-1 character. */
    private static byte[] headerBytes(String value) {
        if (value == null) {
            return null;
        }
        boolean latin1 = value.chars().allMatch(c -> c <= 0xFF);
        return value.getBytes(latin1 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
