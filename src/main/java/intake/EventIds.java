package intake;

import org.apache.camel.ProducerTemplate;

/**
 * Event ids exist before the transaction, so that nothing has to be matched back by position. The sequence hands out
 * blocks of {@value #BLOCK}; a block that a crash wastes is a gap and nothing else.
 */
final class EventIds {
    static final int BLOCK = 1024;

    private final ProducerTemplate producer;
    private long next;
    private long end;

    EventIds(ProducerTemplate producer) {
        this.producer = producer;
    }

    /** The next id; asks the database once in {@value #BLOCK} calls. */
    synchronized long next() {
        if (next == end) {
            next = producer.requestBody(GroupCommit.NEXT_BLOCK, null, Long.class);
            end = next + BLOCK;
        }
        return next++;
    }
}
