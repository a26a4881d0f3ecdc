package verify;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.TreeMap;

/**
 * Takes secrets out of what is stored, logged and answered.
 *
 * <p>A name is sensitive, whatever its case, when it contains one of {@link #FRAGMENTS} or when one of its words
 * (between {@code -}, {@code _} or {@code .}) is one of {@link #WORDS}. Rather one header too many than one too few.
 */
public final class Redaction {

    /** What stands in the place of a secret. */
    public static final String REDACTED = "«redacted»";

    /** Parts of names that mark a secret anywhere in a name. {@code docs/providers.md} lists the same. */
    public static final List<String> FRAGMENTS = List.of(
            "signature",
            "hmac",
            "token",
            "secret",
            "cookie",
            "authorization",
            "authentication",
            "api-key",
            "api_key",
            "apikey",
            "access-key",
            "access_key",
            "private-key",
            "private_key",
            "password",
            "passwd",
            "credential");

    /** Words that mark a secret when they stand alone between separators. */
    public static final Set<String> WORDS = Set.of("auth", "sig", "jwt", "bearer", "session", "pass", "pwd");

    private Redaction() {}

    /** Whether the value of a header or parameter of this name is a secret. */
    public static boolean isSensitive(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (String fragment : FRAGMENTS) {
            if (lower.contains(fragment)) {
                return true;
            }
        }
        StringTokenizer words = new StringTokenizer(lower, "-_.");
        while (words.hasMoreTokens()) {
            if (WORDS.contains(words.nextToken())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Headers as they are stored: names in lower case and in order, secrets replaced, tokens in the query of an address
     * (a {@code Referer}, a proxy's {@code X-Original-URI}) replaced, text that the database cannot hold cleaned.
     */
    public static Map<String, String> headers(Map<String, String> headers) {
        return headers(headers, Set.of(), Set.of());
    }

    /**
     * The same, with more names that are sensitive.
     *
     * @param moreHeaders names in lower case
     * @param moreParameters names of parameters in addresses, in lower case
     */
    public static Map<String, String> headers(
            Map<String, String> headers, Set<String> moreHeaders, Set<String> moreParameters) {
        Map<String, String> redacted = new TreeMap<>();
        headers.forEach((name, value) -> redacted.put(
                Text.storable(name.toLowerCase(Locale.ROOT)),
                isSensitive(name) || moreHeaders.contains(name.toLowerCase(Locale.ROOT))
                        ? REDACTED
                        : Text.storable(query(value, moreParameters))));
        return redacted;
    }

    /**
     * An address, path or query string with the values of sensitive parameters replaced: {@code /x?token=abc&a=1}
     * becomes {@code /x?token=«redacted»&a=1}. A bare query string ({@code token=abc&a=1}) is understood as well.
     */
    public static String query(String text) {
        return query(text, Set.of());
    }

    private static String query(String text, Set<String> moreParameters) {
        if (text == null || text.indexOf('=') < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        int from = 0;
        while (from < text.length()) {
            int end = nextOf("?&;# ,", text, from);
            String parameter = text.substring(from, end);
            int equals = parameter.indexOf('=');
            String name = equals > 0 ? decoded(parameter.substring(0, equals)) : "";
            if (equals > 0 && (isSensitive(name) || moreParameters.contains(name.toLowerCase(Locale.ROOT)))) {
                out.append(parameter, 0, equals + 1).append(REDACTED);
            } else {
                out.append(parameter);
            }
            if (end < text.length()) {
                out.append(text.charAt(end));
            }
            from = end + 1;
        }
        return out.toString();
    }

    private static int nextOf(String delimiters, String text, int from) {
        int at = from;
        while (at < text.length() && delimiters.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    /** {@code %74oken} is {@code token} to whoever decodes the query, so it is to us. */
    private static String decoded(String name) {
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return name;
        }
    }
}
