package verify;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a signature covers, as a template: text with tokens in braces. {@code {body}} is the body byte for byte, {@code
 * {timestamp}} the time as sent, {@code {method}}, {@code {url}} the address as the sender knows it, {@code {decoded_url}}
 * the same with HubSpot's list of characters decoded, {@code {sorted_form}} Twilio's form; any other token is a {@link
 * RequestPart}.
 */
public final class SignedBytes {

    private static final Pattern TOKEN = Pattern.compile("\\{([^{}]*)}");
    private static final Pattern STRAY_BRACE = Pattern.compile("[{}]");

    /** developers.hubspot.com, "Validating requests": what is decoded in an address before it is signed. */
    private static final Pattern DECODED =
            Pattern.compile("%(3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)", Pattern.CASE_INSENSITIVE);

    /** Only the body. */
    public static final SignedBytes BODY = of("{body}");

    private final String written;
    private final List<Piece> pieces;
    private final boolean coversBody;
    private final boolean coversUrl;
    private final boolean namesTimestamp;

    private enum Token {
        BODY,
        TIMESTAMP,
        METHOD,
        URL,
        DECODED_URL,
        SORTED_FORM
    }

    /** Literal text, a token, or a part of the request: one of the three. */
    private record Piece(String text, Token token, RequestPart part) {}

    private SignedBytes(String written, List<Piece> pieces) {
        this.written = written;
        this.pieces = pieces;
        this.coversBody = names(Token.BODY);
        this.coversUrl = names(Token.URL) || names(Token.DECODED_URL);
        this.namesTimestamp = names(Token.TIMESTAMP);
    }

    /**
     * @throws IllegalArgumentException saying what is wrong, for who wrote it
     */
    public static SignedBytes of(String written) {
        List<Piece> pieces = new ArrayList<>();
        Matcher token = TOKEN.matcher(written);
        int from = 0;
        while (token.find()) {
            text(pieces, written.substring(from, token.start()));
            pieces.add(piece(token.group(1)));
            from = token.end();
        }
        text(pieces, written.substring(from));
        if (pieces.stream().allMatch(piece -> piece.text != null)) {
            throw new IllegalArgumentException("\"" + written + "\" covers nothing of the request; {body} does");
        }
        return new SignedBytes(written, List.copyOf(pieces));
    }

    private static void text(List<Piece> pieces, String text) {
        if (STRAY_BRACE.matcher(text).find()) {
            throw new IllegalArgumentException("a brace in \"" + text + "\" is not closed or not opened");
        }
        if (!text.isEmpty()) {
            pieces.add(new Piece(text, null, null));
        }
    }

    private static Piece piece(String name) {
        for (Token token : Token.values()) {
            if (token.name().toLowerCase(Locale.ROOT).equals(name)) {
                return new Piece(null, token, null);
            }
        }
        if (!name.contains(":")) {
            throw new IllegalArgumentException(
                    "{" + name + "} is not known here; known are {body}, {timestamp}, {method},"
                            + " {url}, {decoded_url}, {sorted_form} and parts like {header:<name>}");
        }
        return new Piece(null, null, RequestPart.of(name));
    }

    private boolean names(Token token) {
        return pieces.stream().anyMatch(piece -> piece.token == token);
    }

    /** Whether the whole body is covered, byte for byte. */
    boolean coversBody() {
        return coversBody;
    }

    /** Whether the fields of a form are covered. */
    boolean coversForm() {
        return coversBody || names(Token.SORTED_FORM);
    }

    /** Whether the time is covered. */
    boolean coversTimestamp() {
        return namesTimestamp;
    }

    /** Whether that part of a request is covered. */
    boolean covers(RequestPart part) {
        return pieces.stream().anyMatch(piece -> part.equals(piece.part))
                || (part.isOfBody() && coversForm())
                || (part.isOfQuery() && coversUrl);
    }

    /**
     * The bytes, in pieces.
     *
     * @param timestamp as sent; null where the scheme has none
     * @throws Missing naming what the request lacks
     */
    List<byte[]> of(Reading reading, String timestamp) throws Missing {
        List<byte[]> bytes = new ArrayList<>(pieces.size());
        for (Piece piece : pieces) {
            bytes.add(bytes(piece, reading, timestamp));
        }
        return bytes;
    }

    private static byte[] bytes(Piece piece, Reading reading, String timestamp) throws Missing {
        if (piece.text != null) {
            return piece.text.getBytes(StandardCharsets.UTF_8);
        }
        if (piece.part != null) {
            String value = piece.part.in(reading);
            if (value == null) {
                throw new Missing(piece.part.shown());
            }
            return piece.part.isOfHead() ? wire(value) : value.getBytes(StandardCharsets.UTF_8);
        }
        Request request = reading.request();
        return switch (piece.token) {
            case BODY -> request.body();
            case TIMESTAMP -> wire(timestamp);
            case METHOD -> wire(request.method());
            case URL -> wire(request.url());
            case DECODED_URL -> wire(decoded(request.url()));
            case SORTED_FORM -> sorted(reading.form()).getBytes(StandardCharsets.UTF_8);
        };
    }

    /** As it was on the wire: an HTTP server hands each byte of a header on as one Latin-1 character. */
    private static byte[] wire(String value) {
        boolean latin1 = value.chars().allMatch(c -> c <= 0xFF);
        return value.getBytes(latin1 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }

    private static String decoded(String url) {
        return DECODED.matcher(url)
                .replaceAll(
                        found -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 16))));
    }

    /** twilio.com, "Validating requests": names in order, each followed by its values, nothing between. */
    private static String sorted(Map<String, List<String>> form) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(form)
                .forEach((name, values) -> values.stream()
                        .distinct()
                        .sorted()
                        .forEach(value -> text.append(name).append(value)));
        return text.toString();
    }

    /** As it was written. */
    @Override
    public String toString() {
        return written;
    }

    /** What is signed is not there. */
    static final class Missing extends Exception {
        private static final long serialVersionUID = 1L;

        Missing(String what) {
            super(what);
        }
    }
}
