package adapters;

import java.util.List;

/** {@code redact:} as adapters.yaml writes it; what is absent is null. */
record RedactEntry(List<String> headers, List<String> query, List<String> body) {

    static void check(RedactEntry entry, Boolean stored, AdapterEntry.Complaints complaints) {
        if (entry != null && entry.body != null) {
            for (String place : entry.body) {
                try {
                    BodyPath.of(place);
                } catch (IllegalArgumentException unfit) {
                    complaints.say("redact", unfit.getMessage());
                }
            }
        }
        if (Boolean.TRUE.equals(stored) && (entry == null || entry.body == null)) {
            complaints.say("redact_stored", "means nothing without body: in redact:, which names places of the body");
        }
    }
}
