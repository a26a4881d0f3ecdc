package adapters;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code type: redis-stream}. */
record RedisStreamEntry(
        String name,
        String type,
        String account,
        List<RuleEntry> todos,
        String maxBody,
        String ruleMaxBody,
        String dedup,
        String dedupWindow,
        String connection,
        String stream,
        String group,
        Integer batch,
        String claimIdle,
        Integer maxDeliveries,
        String body,
        String unreadable,
        String eventType,
        String id,
        Trim trim)
        implements RedisEntry {

    /** {@code trim:}. */
    record Trim(Integer maxlen) {}

    @Override
    public Optional<PullEntry> pull() {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("group", group == null ? "switchboard" : group);
        PullEntry.put(options, "batch", batch);
        PullEntry.put(options, "claimIdle", PullEntry.millis(claimIdle));
        PullEntry.put(options, "maxDeliveries", maxDeliveries);
        PullEntry.put(options, "body", body);
        PullEntry.put(options, "unreadable", unreadable);
        PullEntry.put(options, "trimMaxlen", trim == null ? null : trim.maxlen());
        return Optional.of(new PullEntry(
                type,
                connection,
                "stream",
                stream == null ? name : stream,
                options,
                id,
                eventType,
                dedup,
                dedupWindow));
    }
}
