package verify;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** {@code application/x-www-form-urlencoded}, which some providers wrap their JSON in ({@code payload=…}). */
public final class FormBody {

    private static final String TYPE = "application/x-www-form-urlencoded";
    private static final int MAX_FIELDS = 1_000;

    private FormBody() {}

    /** Whether the content type, parameters aside, says so. */
    public static boolean is(String contentType) {
        if (contentType == null) {
            return false;
        }
        String type = contentType.split(";", 2)[0].strip();
        return type.toLowerCase(Locale.ROOT).equals(TYPE);
    }

    /** The decoded fields in their order, or empty when the body is no form. */
    public static Optional<Map<String, List<String>>> fields(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        // an encoder would have written %7B and %5B: this is JSON under the wrong name
        if (text.isBlank()
                || text.stripLeading().startsWith("{")
                || text.stripLeading().startsWith("[")) {
            return Optional.empty();
        }
        String[] pairs = text.split("&", MAX_FIELDS + 1);
        if (pairs.length > MAX_FIELDS) {
            return Optional.empty();
        }
        Map<String, List<String>> fields = new LinkedHashMap<>();
        try {
            for (String pair : pairs) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                fields.computeIfAbsent(decoded(name), unused -> new ArrayList<>(1))
                        .add(decoded(value));
            }
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        return Optional.of(fields);
    }

    /** The field that holds a provider's JSON. */
    public static Optional<byte[]> payload(Map<String, List<String>> fields) {
        return Optional.ofNullable(fields.get("payload"))
                .map(values -> values.get(0).getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
