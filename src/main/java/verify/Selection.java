package verify;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Which value of a request is its event type or its identity: the first that is there of several. Each is one
 * {@link RequestPart}, or several written with {@code +} between them, whose values are joined by a colon and which are
 * there when all of them are.
 */
public final class Selection {

    /** Selects nothing. */
    public static final Selection NONE = new Selection(List.of());

    private final List<List<RequestPart>> choices;

    private Selection(List<List<RequestPart>> choices) {
        this.choices = choices;
    }

    /**
     * @throws IllegalArgumentException saying what is wrong, for who wrote it
     */
    public static Selection of(List<String> written) {
        List<List<RequestPart>> choices = new ArrayList<>();
        for (String choice : written) {
            List<RequestPart> parts = new ArrayList<>();
            for (String part : choice.split(" \\+ ", -1)) {
                parts.add(RequestPart.of(part));
            }
            choices.add(List.copyOf(parts));
        }
        return new Selection(List.copyOf(choices));
    }

    /** @see #of(List) */
    public static Selection of(String... written) {
        return of(List.of(written));
    }

    /** The value; null when none of the choices is there. */
    String in(Reading reading) {
        for (List<RequestPart> choice : choices) {
            String value = joined(choice, reading);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    private static String joined(List<RequestPart> parts, Reading reading) {
        StringBuilder joined = new StringBuilder();
        for (RequestPart part : parts) {
            String value = part.in(reading);
            if (value == null) {
                return null;
            }
            joined.append(joined.isEmpty() ? "" : ":").append(value);
        }
        return joined.toString();
    }

    boolean isEmpty() {
        return choices.isEmpty();
    }

    /** Whether each part of each choice passes. */
    boolean allMatch(Predicate<RequestPart> test) {
        return choices.stream().flatMap(List::stream).allMatch(test);
    }
}
