package verify;

import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/** How bytes are written as text. */
public enum Encoding {
    /** In either case. */
    HEX("hex") {
        @Override
        byte[] bytes(String text) {
            return HexFormat.of().parseHex(text);
        }
    },
    /** RFC 4648 section 4, padded or not. */
    BASE64("base64") {
        @Override
        byte[] bytes(String text) {
            return Base64.getDecoder().decode(text);
        }
    },
    /** RFC 4648 section 5, padded or not. */
    BASE64URL("base64url") {
        @Override
        byte[] bytes(String text) {
            return Base64.getUrlDecoder().decode(text);
        }
    };

    private final String word;

    Encoding(String word) {
        this.word = word;
    }

    /** The encoding of that word. */
    public static Optional<Encoding> of(String word) {
        return Arrays.stream(values()).filter(known -> known.word.equals(word)).findFirst();
    }

    /** The word in a table of schemes: {@code base64}. */
    public String word() {
        return word;
    }

    /** What the text stands for; empty when it is nothing of the kind. */
    Optional<byte[]> decode(String text) {
        try {
            return Optional.of(bytes(text));
        } catch (IllegalArgumentException notOne) {
            return Optional.empty();
        }
    }

    abstract byte[] bytes(String text);
}
