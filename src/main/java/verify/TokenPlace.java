package verify;

import java.nio.charset.StandardCharsets;

/**
 * Where a sender shows its token: {@code bearer} and {@code basic} in {@code Authorization}, or a {@link RequestPart}. Of
 * {@code basic} the token is {@code user:password}.
 */
public final class TokenPlace {

    private static final TokenPlace BEARER = new TokenPlace("Bearer ", null);
    private static final TokenPlace BASIC = new TokenPlace("Basic ", null);

    private final String scheme;
    private final RequestPart part;

    private TokenPlace(String scheme, RequestPart part) {
        this.scheme = scheme;
        this.part = part;
    }

    /**
     * @throws IllegalArgumentException saying what is wrong, for who wrote it
     */
    public static TokenPlace of(String written) {
        return switch (written) {
            case "bearer" -> BEARER;
            case "basic" -> BASIC;
            default -> new TokenPlace(null, RequestPart.of(written));
        };
    }

    /** The bytes that the sender shows there; null when there are none. */
    byte[] in(Reading reading) {
        String value = part == null ? credentials(reading.request().header("Authorization")) : part.in(reading);
        if (value == null) {
            return null;
        }
        if (part == null && scheme.equals(BASIC.scheme)) {
            return Encoding.BASE64.decode(value).orElse(new byte[0]);
        }
        return part == null || part.isOfHead() ? wire(value) : value.getBytes(StandardCharsets.UTF_8);
    }

    private String credentials(String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, scheme, 0, scheme.length())) {
            return null;
        }
        String credentials = authorization.substring(scheme.length()).strip();
        return credentials.isEmpty() ? null : credentials;
    }

    /** The bytes as they were on the wire: an HTTP server hands each byte of a header on as one Latin-1 character. */
    private static byte[] wire(String value) {
        boolean latin1 = value.chars().allMatch(c -> c <= 0xFF);
        return value.getBytes(latin1 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }

    /** For people: {@code Authorization: Bearer}, {@code X-Gitlab-Token}, {@code ?token=}. */
    String shown() {
        return part == null ? "Authorization: " + scheme.strip() : part.shown();
    }
}
