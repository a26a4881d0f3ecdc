package routes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import model.Refusal;
import org.apache.camel.Exchange;

/** The settings that the database holds for all nodes, read live: a change holds within two seconds everywhere. */
public final class Settings {
    /** What there is, with unit, default and bounds; {@code docs/configuration.md} lists the same. */
    public enum Key {
        /** Days that events and finished todos are kept. */
        RETENTION_MAX_AGE_DAYS(30, 1, 36_500),
        /** Rows that an account keeps of each table. */
        RETENTION_MAX_ROWS(500_000, 1, 1_000_000_000),
        /** Days that the identity of a delivery is kept at least; promised to be 7 or more. */
        IDENTITY_MIN_DAYS(7, 7, 3_650),
        /** Seconds after which a parked claim looks again although nothing woke it. */
        CLAIM_REPOLL_SECONDS(5, 1, 60),
        /** Ended attempts that a todo remembers. */
        TODO_ATTEMPTS_KEPT(50, 1, 1_000),
        /** Days that the lines of the audit log are kept. */
        AUDIT_MAX_AGE_DAYS(365, 1, 36_500),
        /** Milliseconds after which a client reconnects to a stream. */
        SSE_RETRY_MS(3_000, 100, 600_000);

        private final int standard;
        private final int least;
        private final int most;

        Key(int standard, int least, int most) {
            this.standard = standard;
            this.least = least;
            this.most = most;
        }

        /** As the database and the API spell it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        public int standard() {
            return standard;
        }

        public int least() {
            return least;
        }

        public int most() {
            return most;
        }

        /** The key that is spelt like this. */
        static Key of(String word) {
            return Arrays.stream(values())
                    .filter(key -> key.word().equals(word))
                    .findFirst()
                    .orElseThrow(
                            () -> new Refusal(Refusal.Code.NOT_FOUND, "there is no setting " + word + " (not_found)"));
        }

        /** The number that a value stands for, within the bounds; null when it is none. */
        Integer read(String value) {
            try {
                int number = Integer.parseInt(value.trim());
                return number >= least && number <= most ? number : null;
            } catch (NumberFormatException e) {
                return null;
            }
        }
    }

    private final Map<Key, Integer> values = new ConcurrentHashMap<>();

    /** The value in force. */
    public int get(Key key) {
        return values.getOrDefault(key, key.standard);
    }

    /** Takes over the rows of {@code settings/list.sql}; a value that is no number within bounds leaves the default in force. */
    public void refresh(Exchange exchange) {
        for (Object row : exchange.getMessage().getBody(List.class)) {
            Map<?, ?> setting = (Map<?, ?>) row;
            for (Key key : Key.values()) {
                if (key.word().equals(setting.get("key"))) {
                    Integer number = key.read((String) setting.get("value"));
                    values.put(key, number == null ? key.standard : number);
                }
            }
        }
    }

    /** All of them as the API shows them. */
    List<Map<String, Object>> list() {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Key key : Key.values()) {
            all.add(shown(key));
        }
        return all;
    }

    Map<String, Object> shown(Key key) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("key", key.word());
        shown.put("value", get(key));
        shown.put("default", key.standard);
        shown.put("min", key.least);
        shown.put("max", key.most);
        return shown;
    }
}
