package verify;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Makes text from outside fit to be stored and shown. PostgreSQL's {@code text} holds neither NUL nor half a surrogate
 * pair, a title is one line, and an identity is never cut: two long ones that differ at their ends are two.
 */
public final class Text {

    /** Longest identity or key that is stored as it is, in bytes of UTF-8. */
    public static final int MAX_IDENTITY_BYTES = 256;

    private static final int REPLACEMENT = 0xFFFD;
    private static final int BRIEF_CODE_POINTS = 8;

    private Text() {}

    /**
     * One line for people: control characters and line separators become spaces, halves of surrogate pairs become
     * {@code U+FFFD}, what is longer ends in {@code …}. Null when nothing is left.
     *
     * @param maxCodePoints the longest answer, the {@code …} included
     */
    public static String line(String value, int maxCodePoints) {
        if (value == null) {
            return null;
        }
        StringBuilder line = new StringBuilder(Math.min(value.length(), 2 * maxCodePoints));
        int count = 0;
        int keep = 0;
        for (int at = 0; at < value.length(); count++) {
            if (count == maxCodePoints) {
                line.setLength(keep);
                return line.append('…').toString();
            }
            int codePoint = value.codePointAt(at);
            at += Character.charCount(codePoint);
            if (count == maxCodePoints - 1) {
                keep = line.length();
            }
            line.appendCodePoint(shown(codePoint));
        }
        String cleaned = line.toString().strip();
        return cleaned.isEmpty() ? null : cleaned;
    }

    /** The first few characters of an identity, for a message: enough to find it again, too few to fill a log. */
    public static String brief(String identity) {
        return line(identity, BRIEF_CODE_POINTS + 1);
    }

    /**
     * The text with what {@code text} and {@code jsonb} cannot hold replaced by {@code U+FFFD}, otherwise as it was.
     * Null stays null.
     */
    public static String storable(String value) {
        if (value == null || isStorable(value)) {
            return value;
        }
        StringBuilder cleaned = new StringBuilder(value.length());
        value.codePoints().forEach(c -> cleaned.appendCodePoint(isStorable(c) ? c : REPLACEMENT));
        return cleaned.toString();
    }

    /**
     * An external id or idempotency key in the form that is stored: as it is, or, when it is longer than {@value
     * #MAX_IDENTITY_BYTES} bytes or {@code text} cannot hold it, {@code sha256:<hex>} of its bytes (UTF-8; UTF-16
     * where it holds half a surrogate pair, which UTF-8 has no bytes for). Never a shortened form. Null when blank.
     */
    public static String externalId(String value) {
        if (value == null || value.isBlank()) {
            return null;
        }
        if (!isStorable(value)) {
            boolean halves = value.codePoints().anyMatch(Text::isSurrogate);
            return hashed(halves ? utf16(value) : value.getBytes(StandardCharsets.UTF_8));
        }
        if (value.length() * 3L <= MAX_IDENTITY_BYTES) {
            return value;
        }
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= MAX_IDENTITY_BYTES ? value : hashed(bytes);
    }

    /** Not {@code getBytes(UTF_16BE)}: that too would make every half the same question mark. */
    private static byte[] utf16(String value) {
        ByteBuffer bytes = ByteBuffer.allocate(value.length() * Character.BYTES);
        bytes.asCharBuffer().put(value);
        return bytes.array();
    }

    /** Whether {@code text} and {@code jsonb} can hold it as it is. */
    public static boolean isStorable(String value) {
        // by index, not as a stream: every header of every delivery comes by
        for (int at = 0; at < value.length(); ) {
            int codePoint = value.codePointAt(at);
            if (!isStorable(codePoint)) {
                return false;
            }
            at += Character.charCount(codePoint);
        }
        return true;
    }

    private static boolean isStorable(int codePoint) {
        return codePoint != 0 && !isSurrogate(codePoint);
    }

    /** A code point that is a surrogate has lost its other half. */
    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private static int shown(int codePoint) {
        if (isSurrogate(codePoint)) {
            return REPLACEMENT;
        }
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> ' ';
            default -> codePoint;
        };
    }

    private static String hashed(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "sha256:" + HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
