package hub;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import verify.Request;

/**
 * A delivery as somebody kept it: its headers as text, one in a line, its body as it was. The text may be what
 * {@code curl -v} prints ({@code > Name: value}), and may begin with the request line.
 */
final class CapturedRequest {
    private static final Pattern REQUEST_LINE = Pattern.compile("([A-Z]+) (\\S+)(?: HTTP/\\S+)?");
    private static final Pattern HEADER = Pattern.compile("([^:\\s]+):[ \t]*(.*)");

    private String method = "POST";
    private String target;
    private final Map<String, String> headers = new TreeMap<>();
    private final byte[] body;

    private CapturedRequest(byte[] body) {
        this.body = body;
    }

    /** @throws StartFailure naming the file and the line that is no header */
    static CapturedRequest read(Path headers, Path body) {
        CapturedRequest request = new CapturedRequest(bytes(body));
        String[] lines = new String(bytes(headers), StandardCharsets.ISO_8859_1).split("\\r?\\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].startsWith("> ") ? lines[i].substring(2) : lines[i];
            if (!line.isBlank() && !line.equals(">") && !request.take(line)) {
                throw new StartFailure("%s, line %d is no header: it reads Name: value".formatted(headers, i + 1));
            }
        }
        return request;
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException unreadable) {
            throw new StartFailure(
                    file + " cannot be read (" + unreadable.getClass().getSimpleName() + ")", unreadable);
        }
    }

    private boolean take(String line) {
        Matcher request = REQUEST_LINE.matcher(line);
        if (headers.isEmpty() && request.matches()) {
            method = request.group(1);
            target = request.group(2);
            return true;
        }
        Matcher header = HEADER.matcher(line);
        if (!header.matches()) {
            return false;
        }
        headers.merge(
                header.group(1).toLowerCase(java.util.Locale.ROOT),
                header.group(2).strip(),
                (first, next) -> first + ", " + next);
        return true;
    }

    /**
     * @param url the address as the sender knows it; the request line's path and query are put in the place of its own
     * @param at when it is to be looked at
     */
    Request at(URI url, Instant at) {
        String address = target == null ? url.toString() : url.resolve(target).toString();
        Map<String, String> query = new HashMap<>();
        int mark = address.indexOf('?');
        if (mark >= 0) {
            for (String pair : address.substring(mark + 1).split("&")) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    query.putIfAbsent(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
                }
            }
        }
        return new Request(method, address, headers, query::get, body, at);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return text;
        }
    }
}
