package adapters;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.error.Mark;

/** Collects what is wrong, with the place in the file where it stands. */
final class Problems {

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_-]{1,40}");

    private final Map<JsonPointer, Mark> places = new HashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    /** Remembers where a node begins. */
    void place(JsonPointer pointer, Mark mark) {
        places.put(pointer, mark);
    }

    /** The line of a node, from 1. */
    int line(JsonPointer pointer) {
        return mark(pointer).map(mark -> mark.getLine() + 1).orElse(0);
    }

    void add(JsonPointer pointer, String message) {
        Optional<Mark> mark = mark(pointer);
        problems.add(new Problem(line(pointer), mark.map(m -> m.getColumn() + 1).orElse(0), path(pointer), message));
    }

    void add(Mark mark, String message) {
        problems.add(new Problem(mark.getLine() + 1, mark.getColumn() + 1, "", message));
    }

    void add(String message) {
        problems.add(new Problem(0, 0, "", message));
    }

    boolean isEmpty() {
        return problems.isEmpty();
    }

    List<Problem> inFileOrder() {
        return problems.stream()
                .distinct()
                .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column))
                .toList();
    }

    /** What is missing has no place of its own: the nearest thing around it has. */
    private Optional<Mark> mark(JsonPointer pointer) {
        for (JsonPointer at = pointer; at != null; at = at.head()) {
            Mark mark = places.get(at);
            if (mark != null) {
                return Optional.of(mark);
            }
        }
        return Optional.empty();
    }

    /**
     * A key as messages quote it. What is no word may be a slip that has a secret in it ({@code secret:abc} without its
     * space is a key), so only its beginning is shown.
     */
    static String key(String key) {
        Matcher word = WORD.matcher(key);
        String shown = word.lookingAt() ? word.group() : "";
        return shown.length() == key.length() ? key : shown + "…";
    }

    /** {@code /adapters/0/todos/1/when} as people write it: {@code adapters[0].todos[1].when}. */
    private static String path(JsonPointer pointer) {
        StringBuilder path = new StringBuilder();
        for (JsonPointer at = pointer; at != null && !at.matches(); at = at.tail()) {
            if (at.getMatchingIndex() >= 0) {
                path.append('[').append(at.getMatchingIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(key(at.getMatchingProperty()));
            }
        }
        return path.toString();
    }
}
