package adapters;

/** One item of {@code todos:} as it is written; what is absent is null. */
record RuleEntry(
        String name,
        String when,
        String queue,
        String kind,
        String title,
        String key,
        Integer priority,
        Integer maxAttempts,
        String assignee,
        Boolean stop) {

    /** The rule of an adapter without {@code todos:}. */
    static RuleEntry byDefault(String queue, String when) {
        return new RuleEntry("default", when, queue, null, null, null, null, null, null, null);
    }
}
