package adapters;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** {@code type: redis-pubsub}. */
record RedisPubSubEntry(
        String name,
        String type,
        String account,
        List<RuleEntry> todos,
        String maxBody,
        String ruleMaxBody,
        String dedup,
        String dedupWindow,
        String connection,
        String channel,
        String loss,
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
        return Optional.of(new PullEntry(
                type,
                connection,
                "channel",
                channel == null ? name : channel,
                Map.of("loss", String.valueOf(loss)),
                id,
                eventType,
                dedup,
                dedupWindow));
    }
}
