package redis;

import java.time.Duration;
import java.util.List;
import org.redisson.api.RedissonClient;
import org.redisson.api.StreamMessageId;
import org.redisson.api.stream.StreamRangeArgs;

/**
 * Where entries stand that cannot become deliveries, each with the reason: the stream {@code <stream or list>:dead}, whose
 * entries begin with the fields {@code switchboard-id}, {@code switchboard-reason} and {@code switchboard-refusals}, and
 * go on as the entry was sent (an element of a list is the field {@code element}).
 */
public final class DeadLetters {
    /** How long refusals of entries are remembered after the last one of their stream or list. */
    static final Duration REFUSALS_REMEMBERED = Duration.ofDays(7);

    private static final int SLICE = 100;

    /**
     * What was put back.
     *
     * @param left entries that stayed because they have more fields than a script can add
     */
    public record Redelivered(long entries, long left) {}

    private DeadLetters() {}

    /** The dead-letter stream of a stream or list. */
    public static String streamOf(String key) {
        return key + ":dead";
    }

    /** Puts back what stands in the dead-letter stream of a stream now, at the stream's end. */
    public static Redelivered putBackToStream(Connections connections, String connection, String stream) {
        return redeliver(connections.client(connection), Script.named("stream/redeliver"), stream);
    }

    /** Puts back what stands in the dead-letter stream of a list now, at the list's end. */
    public static Redelivered putBackToList(Connections connections, String connection, String list) {
        return redeliver(connections.client(connection), Script.named("list/redeliver"), list);
    }

    private static Redelivered redeliver(RedissonClient client, Script script, String key) {
        // a hub that runs may refuse them again at once: those are not looked at
        String end = client
                .getStream(streamOf(key))
                .rangeReversed(StreamRangeArgs.startId(StreamMessageId.MAX)
                        .endId(StreamMessageId.MIN)
                        .count(1))
                .keySet()
                .stream()
                .findFirst()
                .map(Object::toString)
                .orElse(null);
        long entries = 0;
        long left = 0;
        String from = "-";
        while (end != null) {
            List<Object> answer = script.list(client, List.of(key, streamOf(key)), from, end, SLICE);
            entries += (Long) answer.get(0);
            left += (Long) answer.get(1);
            String last = Script.text(answer.get(2));
            if (last.isEmpty()) {
                break;
            }
            from = "(" + last;
        }
        return new Redelivered(entries, left);
    }
}
