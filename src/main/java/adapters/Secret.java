package adapters;

import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A secret of adapters.yaml: written out, or {@code {{env:NAME}}}.
 *
 * <p>One that is missing or blank is no error: the adapter is off, and never open.
 */
final class Secret {

    private static final Pattern ENVIRONMENT = Pattern.compile("\\{\\{\\s*env:([A-Za-z_][A-Za-z0-9_]*)\\s*}}");

    private final String value;
    private final String missing;

    private Secret(String value, String missing) {
        this.value = value;
        this.missing = missing;
    }

    /** What is wrong with the way it is written, if anything; never quotes it. */
    static Optional<String> complaint(String written) {
        if (written == null
                || !written.contains("{{")
                || ENVIRONMENT.matcher(written.strip()).matches()) {
            return Optional.empty();
        }
        if (written.contains("{{file:")) {
            return Optional.of(
                    "{{file:…}} is not supported; put the secret into the environment and write {{env:NAME}}");
        }
        return Optional.of("a reference is the whole value and reads {{env:NAME}}, with a name of A-Z a-z 0-9 _");
    }

    /**
     * @param key the key it stands under, for the reason
     * @param written as in the file; null when the key is missing
     */
    static Secret resolve(String key, String written, Function<String, String> environment) {
        if (written == null) {
            return new Secret(null, "it has no " + key + ":");
        }
        Matcher reference = ENVIRONMENT.matcher(written.strip());
        if (!reference.matches()) {
            return written.isBlank() ? new Secret(null, key + ": is empty") : new Secret(written, null);
        }
        String name = reference.group(1);
        String value = environment.apply(name);
        if (value == null) {
            return new Secret(null, name + " is not set");
        }
        return value.isBlank() ? new Secret(null, name + " is empty") : new Secret(value, null);
    }

    boolean isMissing() {
        return value == null;
    }

    /** Why there is none, for the operator; null when there is one. */
    String missing() {
        return missing;
    }

    /** The secret itself; null when it is missing. */
    String value() {
        return value;
    }
}
