package hub;

import java.util.List;

/**
 * Why the hub does not run, in words for the person who started it: the thing, the rule, the next step. Printed as it
 * is, without a stack trace, so it never holds a secret.
 */
public final class StartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StartFailure(String message) {
        super(message);
    }

    public StartFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /** All problems at once: one as it is, several as a list under the headline. */
    public static StartFailure of(String headline, List<String> problems) {
        String bullet = System.lineSeparator() + "  - ";
        return new StartFailure(
                problems.size() == 1
                        ? headline + ": " + problems.get(0)
                        : headline + ", " + problems.size() + " problems:" + bullet + String.join(bullet, problems));
    }
}
