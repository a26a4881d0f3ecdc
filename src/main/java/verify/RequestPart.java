package verify;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where one value stands in a request: {@code header:<name>}, {@code query:<name>}, {@code form:<field>} of a form body,
 * {@code body:<JSON pointer>} of a JSON body, or {@code part:<prefix>}, the part of the signature that begins so.
 */
public final class RequestPart {

    private static final Pattern FORM = Pattern.compile("(header|query|form|body|part):(.*)", Pattern.DOTALL);
    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private enum Kind {
        HEADER,
        QUERY,
        FORM,
        BODY,
        PART
    }

    private final String written;
    private final Kind kind;
    private final String name;
    private final JsonPointer pointer;

    private RequestPart(String written, Kind kind, String name, JsonPointer pointer) {
        this.written = written;
        this.kind = kind;
        this.name = name;
        this.pointer = pointer;
    }

    /**
     * @throws IllegalArgumentException saying what is wrong, for who wrote it
     */
    public static RequestPart of(String written) {
        Matcher form = FORM.matcher(written.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("\"" + written
                    + "\" does not say where a value stands: header:<name>, query:<name>, form:<field>,"
                    + " body:<JSON pointer> or part:<prefix>");
        }
        Kind kind = Kind.valueOf(form.group(1).toUpperCase(java.util.Locale.ROOT));
        String name = form.group(2);
        if (kind == Kind.BODY) {
            return new RequestPart(written, kind, name, pointer(name));
        }
        if (name.isBlank() || (kind == Kind.HEADER && !HEADER_NAME.matcher(name).matches())) {
            throw new IllegalArgumentException("\"" + written + "\" names no " + form.group(1));
        }
        return new RequestPart(written, kind, name, null);
    }

    private static JsonPointer pointer(String text) {
        try {
            return JsonPointer.compile(text);
        } catch (IllegalArgumentException notOne) {
            throw new IllegalArgumentException(
                    "\"body:" + text + "\" is no JSON pointer: it reads body:/name/0/name", notOne);
        }
    }

    /** The value that stands there; null when there is none, or a blank one. */
    String in(Reading reading) {
        String value = switch (kind) {
            case HEADER -> reading.request().header(name);
            case QUERY -> reading.request().parameter(name);
            case FORM -> first(reading.form().get(name));
            case BODY -> reading.json(pointer);
            case PART ->
                reading.signatureParts().stream()
                        .filter(part -> part.startsWith(name))
                        .map(part -> part.substring(name.length()))
                        .findFirst()
                        .orElse(null);
        };
        return value == null || value.isBlank() ? null : value;
    }

    private static String first(List<String> values) {
        return values == null ? null : values.get(0);
    }

    /** Whether it is a part of the body, so that who signs the body signs it. */
    boolean isOfBody() {
        return kind == Kind.BODY || kind == Kind.FORM;
    }

    /** Whether it stands in a header, whose bytes may be anything. */
    boolean isOfHead() {
        return kind == Kind.HEADER || kind == Kind.PART;
    }

    /** Whether it stands in the query of the address. */
    boolean isOfQuery() {
        return kind == Kind.QUERY;
    }

    /** For people: the header's name, or what it is the name of. */
    String shown() {
        return switch (kind) {
            case HEADER -> name;
            case QUERY -> "?" + name + "=";
            case FORM -> "the form field " + name;
            case BODY -> "the body's " + name;
            case PART -> "the signature's " + name;
        };
    }

    /** As it was written. */
    @Override
    public String toString() {
        return written;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RequestPart part && kind == part.kind && name.equalsIgnoreCase(part.name);
    }

    @Override
    public int hashCode() {
        return kind.hashCode();
    }
}
