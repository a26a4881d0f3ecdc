package verify;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.regex.Pattern;

/** How a provider writes the time at which it signed. */
public enum TimeForm {
    /** Seconds since 1970. */
    S {
        @Override
        Instant at(String text) {
            return Instant.ofEpochSecond(Long.parseLong(text));
        }
    },
    /** Milliseconds since 1970. */
    MS {
        @Override
        Instant at(String text) {
            return Instant.ofEpochMilli(Long.parseLong(text));
        }
    },
    /** RFC 3339: {@code 2026-01-31T23:59:59.123Z}. */
    RFC3339 {
        @Override
        Instant at(String text) {
            return OffsetDateTime.parse(text).toInstant();
        }
    };

    /** Until the year 33658 in seconds: more would overflow. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

    /** The time that the text names; empty when it names none. */
    Optional<Instant> read(String text) {
        if (this != RFC3339 && !NUMBER.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(at(text));
        } catch (DateTimeException notOne) {
            return Optional.empty();
        }
    }

    abstract Instant at(String text);
}
