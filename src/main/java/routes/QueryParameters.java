package routes;

import http.HttpCall;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads the query of a request; what is wrong with it is said all at once. */
final class QueryParameters {
    static final int DEFAULT_LIMIT = 50;
    static final int MOST = 100;

    private final HttpCall call;
    private final List<FieldError> errors = new ArrayList<>();

    private QueryParameters(HttpCall call) {
        this.call = call;
    }

    static QueryParameters of(HttpCall call) {
        return new QueryParameters(call);
    }

    /** The parameter as sent; null when absent or empty. */
    String text(String name) {
        String value = call.queryParam(name);
        return value == null || value.isEmpty() || value.indexOf('\0') >= 0 ? null : value;
    }

    /** One of these words; null when absent. */
    String oneOf(String name, List<String> words) {
        return read(name, "one of " + String.join(", ", words), value -> words.contains(value) ? value : null);
    }

    /** {@code limit}: how many rows of a page. */
    int limit() {
        Integer limit = read("limit", "a whole number from 1 to " + MOST, value -> {
            int number = Integer.parseInt(value);
            return number >= 1 && number <= MOST ? number : null;
        });
        return limit == null ? DEFAULT_LIMIT : limit;
    }

    /** A time in RFC 3339; null when absent. */
    OffsetDateTime time(String name) {
        return read(
                name,
                "a time as in 2026-01-31T12:00:00Z",
                value -> OffsetDateTime.parse(value).withOffsetSameInstant(ZoneOffset.UTC));
    }

    /** {@code cursor}: where the last page ended, in the words of {@link Cursor}; null on the first page. */
    <T> T cursor(Function<String, T> parse) {
        return read("cursor", "the next_cursor of a page", parse);
    }

    /** Call last: refuses when anything was wrong. */
    void refuseIfWrong() {
        if (!errors.isEmpty()) {
            throw FieldError.refusal(errors);
        }
    }

    private <T> T read(String name, String rule, Function<String, T> parse) {
        String value = text(name);
        if (value == null) {
            return null;
        }
        T parsed = null;
        try {
            parsed = parse.apply(value);
        } catch (IllegalArgumentException | DateTimeException notOne) {
            // said below, like a value out of range
        }
        if (parsed == null) {
            errors.add(new FieldError(name, "must be " + rule));
        }
        return parsed;
    }

    /** Where a page of events ended. */
    record Cursor(Instant at, long id) {
        static Cursor parse(String text) {
            String[] parts = text.split("_", 3);
            if (parts.length != 2) {
                throw new IllegalArgumentException(text);
            }
            long micros = Long.parseLong(parts[0]);
            return new Cursor(
                    Instant.ofEpochSecond(
                            Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L),
                    Long.parseLong(parts[1]));
        }

        /** URL-safe: microseconds since 1970, then the id. */
        String text() {
            return (at.getEpochSecond() * 1_000_000L + at.getNano() / 1_000) + "_" + id;
        }
    }
}
