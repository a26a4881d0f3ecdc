package adapters;

import java.util.ArrayList;
import java.util.List;

/** Places in a JSON body: a JSON pointer (RFC 6901) in which {@code *} stands for any name or element. */
record BodyPath(List<String> steps) {

    private static final int MOST_STEPS = 20;
    private static final String ANY = "*";

    /** @throws IllegalArgumentException saying what is wrong, for who wrote it */
    static BodyPath of(String written) {
        if (!written.startsWith("/") || written.length() == 1) {
            throw new IllegalArgumentException(
                    "\"" + written + "\" is no place in a body: it reads /customer/card or /items/*/iban");
        }
        List<String> steps = new ArrayList<>();
        for (String step : written.substring(1).split("/", -1)) {
            steps.add(step.replace("~1", "/").replace("~0", "~"));
        }
        if (steps.size() > MOST_STEPS) {
            throw new IllegalArgumentException("\"" + written + "\" has more than " + MOST_STEPS + " steps");
        }
        return new BodyPath(List.copyOf(steps));
    }

    /** Whether a value with this way to it is one of the places. */
    boolean matches(List<String> way) {
        if (way.size() != steps.size()) {
            return false;
        }
        for (int at = 0; at < steps.size(); at++) {
            if (!steps.get(at).equals(ANY) && !steps.get(at).equals(way.get(at))) {
                return false;
            }
        }
        return true;
    }
}
