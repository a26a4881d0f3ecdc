package redis;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.redisson.api.RBlockingDeque;
import org.redisson.api.RedissonClient;
import org.redisson.api.queue.DequeMoveArgs;
import org.redisson.client.codec.ByteArrayCodec;

/**
 * A list, taken from at its head. What was taken stands in a hash of this consumer's, under an id, until it is
 * acknowledged; the consumer's lease tells the others that it lives.
 */
final class ListFeed implements Feed {
    private static final Script TAKE = Script.named("list/take");
    private static final Script OWN = Script.named("list/own");
    private static final Script ADOPT = Script.named("list/adopt");
    private static final Script ACKNOWLEDGE = Script.named("list/acknowledge");
    private static final Script REFUSE = Script.named("list/refuse");

    private final RedissonClient client;
    private final String list;
    private final String consumer;
    private final Duration lease;
    private final RBlockingDeque<byte[]> elements;
    private final String processing;
    private final List<Object> taking;
    private final String refusals;
    private final String dead;
    private final Wait blocked = new Wait();
    private long renewal = System.nanoTime();

    /** @param lease how long this consumer may be silent before others take over what it holds */
    ListFeed(RedissonClient client, String list, String consumer, Duration lease) {
        this.client = client;
        this.list = list;
        this.consumer = consumer;
        this.lease = lease;
        this.elements = client.getBlockingDeque(list, ByteArrayCodec.INSTANCE);
        this.processing = processing(consumer);
        this.taking = List.of(list, processing, consumers(), lease(consumer), list + ":sequence");
        this.refusals = list + ":refusals";
        this.dead = DeadLetters.streamOf(list);
    }

    private String processing(String whose) {
        return list + ":processing:" + whose;
    }

    private String lease(String whose) {
        return list + ":lease:" + whose;
    }

    private String consumers() {
        return list + ":consumers";
    }

    @Override
    public String name() {
        return "list " + list;
    }

    @Override
    public void open() {
        take(0);
    }

    @Override
    public void stayAlive() {
        if (renewal - System.nanoTime() <= 0) {
            take(0);
        }
    }

    @Override
    public Page own(String after, int most) {
        return Answers.page(OWN.list(client, List.of(processing), after, most));
    }

    @Override
    public List<Entry> next(int most, Duration wait) {
        List<Entry> taken = take(most);
        // moves the head to the head: waits like a blocking pop, and changes nothing
        boolean woken = taken.isEmpty()
                && blocked.on(elements.moveAsync(wait, DequeMoveArgs.pollFirst().addFirstTo(list))) != null;
        return woken ? take(most) : taken;
    }

    private List<Entry> take(int most) {
        renewal = System.nanoTime() + lease.toNanos() / 4;
        return Answers.page(TAKE.list(client, taking, consumer, lease.toMillis(), most))
                .entries();
    }

    @Override
    public void wake() {
        blocked.end();
    }

    @Override
    public Adopted adopt(int most) {
        return Answers.adopted(
                ADOPT.list(client, List.of(consumers(), processing), consumer, processing(""), lease("")));
    }

    @Override
    public CompletionStage<Long> acknowledge(Collection<String> ids) {
        return ACKNOWLEDGE.number(client, List.of(processing, refusals), ids.toArray());
    }

    @Override
    public CompletionStage<Fate> refuse(String id, int limit, String reason) {
        return REFUSE.word(
                        client,
                        List.of(processing, refusals, dead),
                        id,
                        limit,
                        reason,
                        DeadLetters.REFUSALS_REMEMBERED.toMillis())
                .thenApply(Fate::of);
    }

    @Override
    public long tidy() {
        return client.getStream(dead).size();
    }
}
