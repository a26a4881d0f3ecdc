package adapters;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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
        implements AdapterEntry {

    @Override
    public String bodyTimeout() {
        return null;
    }

    @Override
    public Gate gate(Function<String, String> environment) {
        return RedisConnection.gate(name, connection, environment);
    }

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
