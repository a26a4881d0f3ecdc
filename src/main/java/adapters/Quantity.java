package adapters;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes and times as adapters.yaml writes them; the schema has checked their form. */
final class Quantity {

    private static final Pattern FORM = Pattern.compile("([0-9]+) ?([A-Za-z]*)");

    private Quantity() {}

    /** {@code 1048576}, {@code 512KiB}, {@code 25MiB} in bytes. */
    static long bytes(String written) {
        Matcher form = form(written);
        long number = Long.parseLong(form.group(1));
        return switch (form.group(2)) {
            case "KiB" -> number << 10;
            case "MiB" -> number << 20;
            default -> number;
        };
    }

    /** {@code 500ms}, {@code 10s}, {@code 2m}. */
    static Duration duration(String written) {
        Matcher form = form(written);
        long number = Long.parseLong(form.group(1));
        return switch (form.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofSeconds(number);
        };
    }

    private static Matcher form(String written) {
        Matcher form = FORM.matcher(written);
        if (!form.matches()) {
            throw new IllegalArgumentException("the schema lets no such quantity pass: " + written);
        }
        return form;
    }
}
