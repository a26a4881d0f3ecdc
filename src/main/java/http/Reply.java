package http;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Flow;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.camel.Exchange;
import org.apache.camel.Message;

/**
 * An answer that is ready to be written.
 *
 * @param headers what is said and nothing else; names in any case
 * @param body null for none, {@code byte[]}, or a {@code Flow.Publisher} of {@code byte[]} or {@code String}
 */
record Reply(int status, Map<String, String> headers, Object body) {
    private static final Pattern CHARSET = Pattern.compile("charset\\s*=\\s*\"?([^\\s;\"]+)", Pattern.CASE_INSENSITIVE);
    private static final Pattern CONTROL_CHARACTER = Pattern.compile("[\\p{Cntrl}&&[^\\t]]");

    /**
     * The answer that a route chose. A header counts as chosen when its name is in {@code answerHeaders} (or is Content-Type)
     * and its value is not the very one that came in; the request's own bytes are no answer either.
     *
     * @param arrived what the engine put on the message, by name in lower case
     * @param requestBody the bytes that came in
     * @throws RuntimeException if the route chose what cannot be sent
     */
    static Reply chosenBy(
            Exchange exchange, Map<String, Object> arrived, byte[] requestBody, Set<String> answerHeaders) {
        Message message = exchange.getMessage();
        Map<String, String> headers = new LinkedHashMap<>();
        message.getHeaders().forEach((name, value) -> {
            String key = name.toLowerCase(Locale.ROOT);
            boolean speaks = key.equals("content-type") || answerHeaders.contains(key);
            if (speaks && value != null && value != arrived.get(key)) {
                headers.put(name, printable(name, value));
            }
        });

        Object body = message.getBody() == requestBody ? null : sendable(exchange, headers, message.getBody());
        return new Reply(status(message, body), headers, body);
    }

    private static int status(Message message, Object body) {
        Integer chosen = message.getHeader(Exchange.HTTP_RESPONSE_CODE, Integer.class);
        if (chosen == null) {
            return body == null ? 204 : 200;
        }
        if (chosen < 200 || chosen > 599) {
            throw new IllegalStateException("a route answered with status " + chosen + ": it must be 200..599");
        }
        return chosen;
    }

    private static String printable(String name, Object value) {
        String text = value instanceof Collection<?> values
                ? values.stream().map(String::valueOf).collect(Collectors.joining(", "))
                : value.toString();
        // a line break in a value would start a header, or a whole answer, of somebody else's making
        if (CONTROL_CHARACTER.matcher(text).find()) {
            throw new IllegalStateException("the header " + name + " of an answer has a control character");
        }
        return text;
    }

    private static Object sendable(Exchange exchange, Map<String, String> headers, Object body) {
        if (body == null || body instanceof byte[] || body instanceof Flow.Publisher) {
            return body;
        }
        if (body instanceof String text) {
            return text.getBytes(declaredCharset(headers));
        }
        byte[] converted = exchange.getContext().getTypeConverter().tryConvertTo(byte[].class, exchange, body);
        if (converted == null) {
            throw new IllegalStateException(
                    "a route answered with a " + body.getClass().getName()
                            + ": it must be byte[], String, a Flow.Publisher or something that converts to byte[]");
        }
        return converted;
    }

    /** UTF-8, unless the route's own Content-Type names another one that exists. */
    private static Charset declaredCharset(Map<String, String> headers) {
        for (Map.Entry<String, String> header : headers.entrySet()) {
            Matcher charset = CHARSET.matcher(header.getValue());
            if (header.getKey().equalsIgnoreCase("Content-Type") && charset.find()) {
                try {
                    return Charset.forName(charset.group(1));
                } catch (IllegalArgumentException unknown) {
                    return StandardCharsets.UTF_8;
                }
            }
        }
        return StandardCharsets.UTF_8;
    }
}
