package redis;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;

/**
 * What a {@link Reader} reads: entries that stay in Redis, held by this node, until they are acknowledged. All that
 * answers at once throws when Redis is away.
 */
interface Feed {
    /** What became of a refused entry. */
    enum Fate {
        /** It is tried again. */
        COUNTED,
        /** It stands in the dead-letter stream. */
        DEAD,
        /** It had been trimmed: there was nothing to copy. */
        LOST,
        /** Somebody else is through with it. */
        GONE;

        static Fate of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Entries held by this node.
     *
     * @param lost how many were found to be trimmed, and given up
     * @param last where to go on; empty when nothing was looked at
     */
    record Page(List<Entry> entries, long lost, String last) {}

    /**
     * What was taken over from other nodes.
     *
     * @param entries to be read with {@link #own}
     * @param lost how many were found to be trimmed, and given up
     */
    record Adopted(long entries, long lost) {}

    /** How it looks in Redis: {@code stream deploys}. */
    String name();

    /** Makes what reading needs; called before the first read, and after whatever went wrong. */
    void open();

    /** Tells the other nodes that this one lives; called every second or so, also while nothing is read. */
    void stayAlive();

    /** What this node holds already, oldest first. */
    Page own(String after, int most);

    /**
     * What nobody has read yet.
     *
     * @param wait whole seconds to wait for the first
     */
    List<Entry> next(int most, Duration wait);

    /** Ends a wait in {@link #next}; from any thread. What Redis hands out at that moment stays with this node. */
    void wake();

    /** Takes over what dead nodes hold. */
    Adopted adopt(int most);

    /** These are committed. */
    CompletionStage<Long> acknowledge(Collection<String> ids);

    /**
     * An entry's own data was refused; at the limit it is put aside, with the reason.
     *
     * @param limit refusals at which it is put aside; 1: at once
     */
    CompletionStage<Fate> refuse(String id, int limit, String reason);

    /** Removes what is of no use any more; answers how many entries stand aside. */
    long tidy();
}
