package intake;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import verify.Redaction;

/** What a sender said beside its body, where no HTTP door has bounded it: a queue's fields, the headers of a route's message. */
public final class SentHeaders {
    private static final int MOST = 100;
    private static final int LONGEST = 8_192;

    private final Map<String, String> kept = new TreeMap<>();

    /** Keeps the first hundred, each value's first 8,192 characters; names are the same whatever their case. */
    public void put(String name, String value) {
        if (kept.size() < MOST) {
            kept.put(name.toLowerCase(Locale.ROOT), value.length() > LONGEST ? value.substring(0, LONGEST) : value);
        }
    }

    /** As they are stored. */
    public Map<String, String> redacted() {
        return Redaction.headers(kept);
    }
}
