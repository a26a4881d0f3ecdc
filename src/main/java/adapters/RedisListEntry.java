package adapters;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code type: redis-list}. */
record RedisListEntry(
        String name,
        String type,
        String account,
        List<RuleEntry> todos,
        String maxBody,
        String ruleMaxBody,
        String dedup,
        String dedupWindow,
        String connection,
        String list,
        Integer batch,
        String claimIdle,
        Integer maxDeliveries,
        String eventType,
        String id)
        implements RedisEntry {

    @Override
    public Optional<PullEntry> pull() {
        Map<String, Object> options = new LinkedHashMap<>();
        PullEntry.put(options, "batch", batch);
        PullEntry.put(options, "claimIdle", PullEntry.millis(claimIdle));
        PullEntry.put(options, "maxDeliveries", maxDeliveries);
        return Optional.of(new PullEntry(
                type, connection, "list", list == null ? name : list, options, id, eventType, dedup, dedupWindow));
    }
}
