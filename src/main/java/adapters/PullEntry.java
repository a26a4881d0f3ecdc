package adapters;

import com.fasterxml.jackson.core.JsonPointer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What the items of brokers say of where their deliveries come from, as it is written; what is absent is null.
 *
 * @param keyName the key of adapters.yaml that says what is read
 * @param key what is read
 * @param options of the endpoint
 */
record PullEntry(
        String component,
        String connection,
        String keyName,
        String key,
        Map<String, Object> options,
        String id,
        String eventType,
        String dedup,
        String dedupWindow) {

    private static final Duration SHORTEST_IDLE = Duration.ofMillis(500);
    private static final Duration LONGEST_IDLE = Duration.ofHours(1);
    private static final String DEFAULT_WINDOW = "10m";
    private static final Duration LONGEST_WINDOW = Duration.ofDays(7);

    static void put(Map<String, Object> options, String option, Object value) {
        if (value != null) {
            options.put(option, value);
        }
    }

    static Long millis(String duration) {
        return duration == null ? null : Quantity.duration(duration).toMillis();
    }

    /** Two adapters that read the same as the same would take each other's entries. */
    String place() {
        return component + " " + RedisConnection.orDefault(connection) + " " + key + " " + options.get("group");
    }

    Pull read(JsonPointer place, Problems problems) {
        checkIdle(place.appendProperty("claim_idle"), problems);
        return new Pull(
                component,
                RedisConnection.orDefault(connection),
                key,
                options,
                Optional.ofNullable(id).map(Selector::of),
                Optional.ofNullable(eventType).map(Selector::of),
                sameBody(place, problems));
    }

    private void checkIdle(JsonPointer place, Problems problems) {
        if (options.get("claimIdle") instanceof Long millis
                && (millis < SHORTEST_IDLE.toMillis() || millis > LONGEST_IDLE.toMillis())) {
            problems.add(place, "does not fit: 500ms to 60m");
        }
    }

    private Optional<Duration> sameBody(JsonPointer place, Problems problems) {
        boolean byBody = "body".equals(dedup);
        if (!byBody) {
            if (dedupWindow != null) {
                problems.add(place.appendProperty("dedup_window"), "means nothing without dedup: body");
            }
            return Optional.empty();
        }
        if (id != null) {
            problems.add(
                    place.appendProperty("id"),
                    "dedup: body makes the body the identity, so the id would say nothing; keep one of the two");
        }
        Duration window = Quantity.duration(dedupWindow == null ? DEFAULT_WINDOW : dedupWindow);
        if (window.compareTo(LONGEST_WINDOW) > 0) {
            problems.add(
                    place.appendProperty("dedup_window"),
                    "\"" + dedupWindow + "\" does not fit: 1s to 10080m (7 days)");
        }
        return Optional.of(window);
    }
}
