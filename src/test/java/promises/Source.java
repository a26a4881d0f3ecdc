package promises;

/**
 * One kind of source as its users see it: something is offered, and it is the source's until the hub has acknowledged it.
 * What {@link SourceContract} asks of each is asked through this.
 */
interface Source {
    /** What {@code events.source} says. */
    String name();

    /** What {@code events.external_id} says of a delivery with this identity. */
    String identity(String id);

    /** Offers a delivery with this identity; returns without waiting for what becomes of it. */
    void offer(String id);

    /** Offers one that the hub must refuse for good. */
    void offerUnacceptable(String id);

    /** Whether the last offer of it was acknowledged: the source may forget it. */
    boolean acknowledged(String id);

    /** Whether the last offer of it was refused for good. */
    boolean refused(String id);

    /** Does what the source does about a delivery that was not acknowledged; nothing, where it tries by itself. */
    void retry(String id);
}
