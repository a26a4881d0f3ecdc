package adapters;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import verify.Secret;

/**
 * A secret as adapters.yaml writes it: its text, or a map with {@code value:}, {@code id:} and {@code not_after:}. The text
 * is written out, or is a reference: <code>{{env:NAME}}</code> or <code>{{file:PATH}}</code>.
 *
 * <p>One that is missing or blank is no error: without any the adapter is off, and never open.
 */
record SecretEntry(String value, String id, String notAfter) {

    private static final Pattern REFERENCE = Pattern.compile("\\{\\{\\s*(env|file):(.*?)\\s*}}", Pattern.DOTALL);
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static SecretEntry of(String text) {
        return new SecretEntry(text, null, null);
    }

    @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
    static SecretEntry of(
            @JsonProperty("value") String value,
            @JsonProperty("id") String id,
            @JsonProperty("not_after") String notAfter) {
        return new SecretEntry(value, id, notAfter);
    }

    /**
     * Secrets that are there, and why others are not.
     *
     * @param missing a reason for each that is not there, for the operator
     */
    record Resolved(List<Secret> secrets, List<String> missing) {

        /** Why nobody can be let in; null when somebody can. */
        String offReason() {
            return secrets.isEmpty() ? String.join("; ", missing) : null;
        }
    }

    /** What is wrong with the way it is written, if anything; never quotes it. */
    Optional<String> complaint() {
        if (notAfter != null && end().isEmpty()) {
            return Optional.of("not_after is no time as 2026-12-31T00:00:00Z");
        }
        if (value == null || !value.contains("{{")) {
            return Optional.empty();
        }
        Matcher reference = REFERENCE.matcher(value.strip());
        if (!reference.matches()) {
            return Optional.of("a reference is the whole value and reads {{env:NAME}} or {{file:PATH}}");
        }
        String name = reference.group(2);
        if (reference.group(1).equals("env")) {
            return VARIABLE.matcher(name).matches()
                    ? Optional.empty()
                    : Optional.of("a reference reads {{env:NAME}}, with a name of A-Z a-z 0-9 _");
        }
        return isPath(name)
                ? Optional.empty()
                : Optional.of("a reference reads {{file:PATH}}, with the path of a file");
    }

    /** Whether it stands in that file. */
    boolean refersTo(String path) {
        Matcher reference = REFERENCE.matcher(value == null ? "" : value.strip());
        return reference.matches()
                && reference.group(1).equals("file")
                && Path.of(reference.group(2))
                        .toAbsolutePath()
                        .normalize()
                        .equals(Path.of(path).toAbsolutePath().normalize());
    }

    static boolean isPath(String name) {
        try {
            return !name.isBlank() && !Path.of(name).toString().isEmpty();
        } catch (InvalidPathException notOne) {
            return false;
        }
    }

    private Optional<Instant> end() {
        try {
            return Optional.of(OffsetDateTime.parse(notAfter).toInstant());
        } catch (DateTimeException notOne) {
            return Optional.empty();
        }
    }

    /**
     * @param key the key they stand under, for the reasons
     * @param entries as in the file; null when the key is missing
     */
    static Resolved resolve(String key, List<SecretEntry> entries, References references) {
        List<Secret> secrets = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        if (entries == null || entries.isEmpty()) {
            missing.add("it has no " + key + ":");
            return new Resolved(secrets, missing);
        }
        for (SecretEntry entry : entries) {
            if (entry == null) {
                missing.add(key + ": is empty");
            } else {
                entry.resolve(key, references, secrets, missing);
            }
        }
        return new Resolved(secrets, missing);
    }

    private void resolve(String key, References references, List<Secret> secrets, List<String> missing) {
        Matcher reference = REFERENCE.matcher(value == null ? "" : value.strip());
        String what = key + ":";
        String text = value;
        if (reference.matches()) {
            what = reference.group(2);
            try {
                text = reference.group(1).equals("env") ? references.environment(what) : references.file(what);
            } catch (IOException unreadable) {
                missing.add(unreadable.getMessage());
                return;
            }
            if (text == null) {
                missing.add(what + " is not set");
                return;
            }
        }
        if (text == null || text.isBlank()) {
            missing.add(what + " is empty");
            return;
        }
        secrets.add(new Secret(id, text, notAfter == null ? null : end().orElseThrow()));
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "secret " + (id == null ? "without a name" : id);
    }
}
