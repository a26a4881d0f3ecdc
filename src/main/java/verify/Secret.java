package verify;

import java.time.Instant;

/**
 * What an adapter and its sender share, or the public key of a sender.
 *
 * @param id what it is called in logs and events; null where adapters.yaml gives it no name
 * @param value the secret itself
 * @param notAfter when it ends; null: never
 */
public record Secret(String id, String value, Instant notAfter) {

    public Secret {
        if (value.isBlank()) {
            throw new IllegalArgumentException("a blank secret cannot verify anything");
        }
    }

    /** A secret without a name that does not end. */
    public static Secret of(String value) {
        return new Secret(null, value, null);
    }

    boolean isLive(Instant at) {
        return notAfter == null || at.isBefore(notAfter);
    }

    /** {@code secret "2026-q4"} for a person; empty for one without a name. */
    String shown() {
        return id == null ? "" : "secret \"" + id + "\"";
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "secret " + (id == null ? "without a name" : id);
    }
}
