package model;

/** How a delivery reaches the hub: pushed by a provider or pulled from a broker. */
public enum Family {
    WEBHOOK,
    QUEUE;

    /** The word that the database and the API use. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
