package verify;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import model.Refusal;
import model.TrustMode;

/** Lets in what carries a signature over the bytes as sent, made with the secret that only the provider shares. */
public final class SignatureVerifier implements Verifier {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int HEX_DIGITS = 64;

    /** A sender in the middle of a rotation sends two; a header stuffed with guesses is not read to its end. */
    private static final int MAX_SIGNATURES = 16;

    private final String adapter;
    private final SignatureScheme scheme;
    private final SecretKeySpec key;

    /**
     * @param adapter the adapter's name, for messages
     * @param secret the shared secret, used as its UTF-8 bytes; never blank, for that would let everybody sign
     */
    public SignatureVerifier(String adapter, SignatureScheme scheme, String secret) {
        if (secret.isBlank()) {
            throw new IllegalArgumentException(adapter + ": a blank secret cannot verify anything");
        }
        this.adapter = adapter;
        this.scheme = scheme;
        this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    @Override
    public TrustMode trustMode() {
        return TrustMode.SIGNED;
    }

    @Override
    public Verified verify(Request request) {
        String header = request.header(scheme.signatureHeader());
        if (header == null) {
            throw refusal(Refusal.Code.SIGNATURE_MISSING, "has no " + scheme.signatureHeader(), request);
        }

        List<byte[]> signatures = signatures(header);
        if (signatures.isEmpty()) {
            String rule = "holds no %s<%d hex digits>".formatted(scheme.prefix(), HEX_DIGITS);
            throw refusal(Refusal.Code.SIGNATURE_MALFORMED, scheme.signatureHeader() + " " + rule, request);
        }

        byte[] expected = hmac(request.body());
        boolean matches = false;
        for (byte[] signature : signatures) {
            matches |= MessageDigest.isEqual(expected, signature);
        }
        if (!matches) {
            String rule = scheme.signatureHeader() + " does not match the body";
            throw refusal(Refusal.Code.SIGNATURE_MISMATCH, rule, request);
        }

        return new Verified(
                true,
                scheme.signatureHeader() + " (HMAC-SHA256)",
                request.header(scheme.eventTypeHeader()),
                request.header(scheme.identityHeader()),
                null);
    }

    /** The well-formed signatures of our version; everything beside them is somebody else's. */
    private List<byte[]> signatures(String header) {
        List<byte[]> found = new ArrayList<>(1);
        for (String part : header.split(",", MAX_SIGNATURES + 1)) {
            String candidate = part.strip();
            if (found.size() == MAX_SIGNATURES || !candidate.startsWith(scheme.prefix())) {
                continue;
            }
            String hex = candidate.substring(scheme.prefix().length()).toLowerCase(Locale.ROOT);
            if (hex.length() == HEX_DIGITS && hex.chars().allMatch(HexFormat::isHexDigit)) {
                found.add(HexFormat.of().parseHex(hex));
            }
        }
        return found;
    }

    private byte[] hmac(byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    private Refusal refusal(Refusal.Code code, String rule, Request request) {
        String identity = Text.brief(request.header(scheme.identityHeader()));
        String delivery = identity == null ? "" : "delivery " + identity + ", ";
        return new Refusal(code, "%s: %s (%s%s)".formatted(adapter, rule, delivery, code.word()));
    }
}
