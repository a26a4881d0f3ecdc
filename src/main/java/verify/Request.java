package verify;

import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * A request as it came in, before anything parsed it.
 *
 * <p>Headers and query stay apart, so that {@code ?X-GitHub-Event=evil} can never pose as the header.
 *
 * @param method as sent: {@code POST}
 * @param url the address as the sender knows it, query included; some providers sign it
 * @param headers names in lower case (any other case is folded here), values of a repeated header joined by a comma
 * @param query looks up a query parameter, decoded; null when it is absent
 * @param body the bytes exactly as sent
 * @param at when it came in
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes are what a signature covers; nobody compares requests
public record Request(
        String method,
        String url,
        Map<String, String> headers,
        Function<String, String> query,
        byte[] body,
        Instant at) {

    public Request {
        headers = lowerCased(headers);
    }

    /** The header's value, or null; blank counts as absent. */
    public String header(String name) {
        return present(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    /** The query parameter's value, or null; blank counts as absent. */
    public String parameter(String name) {
        return present(query.apply(name));
    }

    private static String present(String value) {
        return value == null || value.isBlank() ? null : value;
    }

    private static Map<String, String> lowerCased(Map<String, String> headers) {
        if (headers.keySet().stream().allMatch(name -> name.equals(name.toLowerCase(Locale.ROOT)))) {
            return headers;
        }
        Map<String, String> folded = new HashMap<>();
        headers.forEach((name, value) -> folded.merge(name.toLowerCase(Locale.ROOT), value, (a, b) -> a + ", " + b));
        return folded;
    }
}
