package adapters;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Text with CEL in braces: <code>Review {payload.repository.full_name}#{payload.number}</code>. A doubled brace
 * stands for the brace itself.
 */
final class Template {

    private final List<Part> parts;

    private Template(List<Part> parts) {
        this.parts = parts;
    }

    /** A stretch of text, or an expression that gives one. */
    private record Part(String literal, Expression expression) {}

    static Template compile(String source) throws Uncompilable {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int at = 0;
        while (at < source.length()) {
            char c = source.charAt(at);
            boolean doubled = at + 1 < source.length() && source.charAt(at + 1) == c;
            if ((c == '{' || c == '}') && doubled) {
                literal.append(c);
                at += 2;
            } else if (c == '{') {
                int end = endOfExpression(source, at);
                parts.add(new Part(literal.toString(), null));
                literal.setLength(0);
                parts.add(new Part(null, expression(source.substring(at + 1, end), at)));
                at = end + 1;
            } else if (c == '}') {
                throw new Uncompilable("the } at character " + (at + 1) + " closes nothing; }} stands for a brace");
            } else {
                literal.append(c);
                at++;
            }
        }
        parts.add(new Part(literal.toString(), null));
        return new Template(List.copyOf(parts));
    }

    private static Expression expression(String source, int at) throws Uncompilable {
        try {
            return Expression.text(source);
        } catch (Uncompilable e) {
            throw new Uncompilable("in the braces at character " + (at + 1) + ": " + e.getMessage());
        }
    }

    /** The brace that closes the one at {@code open}; braces inside CEL's strings and maps do not count. */
    private static int endOfExpression(String source, int open) throws Uncompilable {
        int depth = 0;
        char quote = 0;
        for (int at = open; at < source.length(); at++) {
            char c = source.charAt(at);
            if (quote != 0) {
                if (c == '\\') {
                    at++;
                } else if (c == quote) {
                    quote = 0;
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && --depth == 0) {
                return at;
            }
        }
        throw new Uncompilable("the { at character " + (open + 1) + " is never closed; {{ stands for a brace");
    }

    /** For people: what is missing or null leaves nothing behind. */
    String fill(Evaluation evaluation) throws Fault {
        StringBuilder filled = new StringBuilder();
        for (Part part : parts) {
            filled.append(text(part, evaluation).orElse(""));
        }
        return filled.toString();
    }

    /** For keys: empty as soon as a part is missing or null, because a key of fewer parts would make strangers equal. */
    Optional<String> fillWhole(Evaluation evaluation) throws Fault {
        StringBuilder filled = new StringBuilder();
        for (Part part : parts) {
            Optional<String> text = text(part, evaluation);
            if (text.isEmpty()) {
                return Optional.empty();
            }
            filled.append(text.get());
        }
        return Optional.of(filled.toString());
    }

    private static Optional<String> text(Part part, Evaluation evaluation) throws Fault {
        if (part.expression() == null) {
            return Optional.of(part.literal());
        }
        Optional<Object> value = part.expression().value(evaluation);
        return value.isEmpty() ? Optional.empty() : Optional.of(written(value.get()));
    }

    private static String written(Object value) throws Fault {
        if (value instanceof Double number) {
            // JSON has one kind of number: 3.0 is 3 to whoever wrote it
            boolean whole = number == Math.rint(number) && Math.abs(number) < 1e15;
            return whole ? String.valueOf(number.longValue()) : number.toString();
        }
        if (value instanceof CharSequence || value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        if (value instanceof Instant || value instanceof Duration) {
            return value.toString();
        }
        throw new Fault("not_text");
    }
}
