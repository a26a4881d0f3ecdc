package model;

/** What the rules of an adapter made of a delivery. */
public enum Disposition {
    /** At least one todo was asked for. */
    ROUTED,
    /** Stored as an event alone, as the rules say. */
    STORED,
    /** A rule failed: stored, no todo by that rule, shown to the operator. */
    FAULTED,
    /** Reserved for rules that drop deliveries. */
    DROPPED;

    /** The word that the database and the API use. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
