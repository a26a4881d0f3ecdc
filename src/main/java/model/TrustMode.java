package model;

/** What vouches for a delivery. Only {@link #SIGNED} makes an event verified. */
public enum TrustMode {
    /** A signature over the raw bytes. */
    SIGNED,
    /** A shared token that says who sends, and nothing about the bytes. */
    TOKEN,
    /** Nothing: only where adapters.yaml spells out {@code trust: open}. */
    OPEN,
    /** The connection to a broker (its ACL and TLS), or an integrator's own route. */
    QUEUE;

    /** The word that the database, adapters.yaml and the API use. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
