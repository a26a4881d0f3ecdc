package adapters;

import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        implements RedisEntry {

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
