package redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.redisson.api.RStream;
import org.redisson.api.RedissonClient;
import org.redisson.api.StreamMessageId;
import org.redisson.api.stream.StreamCreateGroupArgs;
import org.redisson.api.stream.StreamReadGroupArgs;
import org.redisson.client.RedisBusyException;
import org.redisson.client.codec.ByteArrayCodec;

/** A stream, read by a consumer of a group: what was read and not acknowledged is pending with that consumer. */
final class StreamFeed implements Feed {
    private static final Script OWN = Script.named("stream/own");
    private static final Script ADOPT = Script.named("stream/adopt");
    private static final Script ACKNOWLEDGE = Script.named("stream/acknowledge");
    private static final Script REFUSE = Script.named("stream/refuse");
    private static final Script TIDY = Script.named("stream/tidy");

    private final RedissonClient client;
    private final String stream;
    private final String group;
    private final String consumer;
    private final Duration claimIdle;
    private final long keep;
    private final RStream<byte[], byte[]> entries;
    private final String refusals;
    private final String dead;
    private final Wait blocked = new Wait();

    /**
     * @param claimIdle how long an entry is pending before another consumer takes it over
     * @param keep entries to keep, about; 0 keeps all
     */
    StreamFeed(RedissonClient client, String stream, String group, String consumer, Duration claimIdle, long keep) {
        this.client = client;
        this.stream = stream;
        this.group = group;
        this.consumer = consumer;
        this.claimIdle = claimIdle;
        this.keep = keep;
        this.entries = client.getStream(stream, ByteArrayCodec.INSTANCE);
        this.refusals = stream + ":refusals:" + group;
        this.dead = DeadLetters.streamOf(stream);
    }

    @Override
    public String name() {
        return "stream " + stream;
    }

    @Override
    public void open() {
        try {
            // from the beginning: what was added before anybody read it is delivered, too
            entries.createGroup(
                    StreamCreateGroupArgs.name(group).id(StreamMessageId.ALL).makeStream());
        } catch (RedisBusyException itExists) {
            // as it should, after the first time
        }
    }

    @Override
    public void stayAlive() {
        // a consumer of a group has no lease: what counts is for how long an entry has been pending
    }

    @Override
    public Page own(String after, int most) {
        return Answers.page(OWN.list(client, List.of(stream, refusals), group, consumer, after, most));
    }

    @Override
    public List<Entry> next(int most, Duration wait) {
        Map<StreamMessageId, Map<byte[], byte[]>> read = blocked.on(entries.readGroupAsync(
                group,
                consumer,
                StreamReadGroupArgs.neverDelivered().count(most).timeout(wait)));
        if (read == null) {
            return List.of();
        }
        List<Entry> found = new ArrayList<>(read.size());
        read.forEach((id, fields) -> {
            List<byte[]> parts = new ArrayList<>(2 * fields.size());
            fields.forEach((name, value) -> {
                parts.add(name);
                parts.add(value);
            });
            found.add(new Entry(id.toString(), parts));
        });
        return found;
    }

    @Override
    public void wake() {
        blocked.end();
    }

    @Override
    public Adopted adopt(int most) {
        return Answers.adopted(
                ADOPT.list(client, List.of(stream, refusals), group, consumer, claimIdle.toMillis(), most));
    }

    @Override
    public CompletionStage<Long> acknowledge(Collection<String> ids) {
        List<Object> arguments = new ArrayList<>(ids.size() + 1);
        arguments.add(group);
        arguments.addAll(ids);
        return ACKNOWLEDGE.number(client, List.of(stream, refusals), arguments.toArray());
    }

    @Override
    public CompletionStage<Fate> refuse(String id, int limit, String reason) {
        return REFUSE.word(
                        client,
                        List.of(stream, refusals, dead),
                        group,
                        id,
                        limit,
                        reason,
                        DeadLetters.REFUSALS_REMEMBERED.toMillis())
                .thenApply(Fate::of);
    }

    @Override
    public long tidy() {
        return (Long) TIDY.list(client, List.of(stream, dead), group, consumer, claimIdle.toMillis(), keep)
                .get(0);
    }
}
