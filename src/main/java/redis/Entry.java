package redis;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Something that was read and waits for its acknowledgement.
 *
 * @param id {@code <milliseconds>-<number>}: Redis's own for a stream's entry, given when it was taken for a list's element
 * @param parts of a stream's entry names and values in turn; of a list's element the element alone
 */
record Entry(String id, List<byte[]> parts) {

    int bytes() {
        return parts.stream().mapToInt(part -> part.length).sum();
    }

    /** The only part of an element. */
    byte[] element() {
        return parts.get(0);
    }

    /** The value of the last field of that name. */
    Optional<byte[]> field(String name) {
        byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
        for (int i = parts.size() - 2; i >= 0; i -= 2) {
            if (java.util.Arrays.equals(parts.get(i), wanted)) {
                return Optional.of(parts.get(i + 1));
            }
        }
        return Optional.empty();
    }

    /** Names and values that are text, in the order of the entry; the last of a name. */
    Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i += 2) {
            Optional<String> name = text(parts.get(i));
            Optional<String> value = text(parts.get(i + 1));
            if (name.isPresent() && value.isPresent()) {
                texts.put(name.get(), value.get());
            }
        }
        return texts;
    }

    /** The bytes as text, or empty when they are no UTF-8. */
    static Optional<String> text(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
