package redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import pace.Backoff;
import pace.LogPace;

/**
 * The thread that reads a {@link Feed}: first what this node holds already, then what is new, now and then what dead nodes
 * hold. It reads ahead of the acknowledgements as far as {@link InFlight} allows, and nothing new while the {@link Valve}
 * is shut. Whatever goes wrong, it begins again with what is held.
 */
final class Reader implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Reader.class);
    private static final Duration BLOCK = Duration.ofSeconds(1);

    private static final Duration LONGEST_ROUND = Duration.ofSeconds(3);
    /** Bytes of a read, about: how many entries are asked for follows from how large the last ones were. */
    private static final long READ_BYTES = 4L << 20;

    private static final long NEVER = Long.MAX_VALUE;
    private static final String BEGINNING = "0";

    private final Feed feed;
    private final InFlight inFlight;
    private final Valve valve;
    private final Acknowledger acknowledger;
    private final int batch;
    private final long roundMillis;
    private final Consumer<Entry> delivery;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5));
    private final LogPace awayLines;
    private final AtomicLong lookAgainAt = new AtomicLong(NEVER);
    private final AtomicLong lost = new AtomicLong();
    /** Where reading what is held goes on; null when all of it was looked at. */
    private String after = BEGINNING;

    private int appetite = 1;
    private long nextRound = System.nanoTime();
    private volatile String away;
    private volatile long dead;

    /**
     * @param batch most entries of a read
     * @param claimIdle how long an entry is held by a silent node before it is taken over
     * @param delivery takes an entry that is in flight from then on; returns without waiting for what becomes of it
     */
    Reader(
            Feed feed,
            InFlight inFlight,
            Valve valve,
            Acknowledger acknowledger,
            int batch,
            Duration claimIdle,
            LogPace awayLines,
            Consumer<Entry> delivery) {
        this.feed = feed;
        this.inFlight = inFlight;
        this.valve = valve;
        this.acknowledger = acknowledger;
        this.batch = batch;
        this.roundMillis = Math.max(1, Math.min(LONGEST_ROUND.toMillis(), claimIdle.toMillis() / 2));
        this.awayLines = awayLines;
        this.delivery = delivery;
    }

    @Override
    public void run() {
        boolean opened = false;
        while (stopped.getCount() > 0) {
            try {
                if (!opened) {
                    feed.open();
                    opened = true;
                }
                turn();
                wentWell();
            } catch (InterruptedException e) {
                // nobody but the end of the process interrupts it
                return;
            } catch (RuntimeException | Error failure) {
                opened = false;
                after = BEGINNING;
                wentWrong(failure);
            }
        }
    }

    /** One read at most, so that a stop and a sign of life are never far. */
    private void turn() throws InterruptedException {
        feed.stayAlive();
        acknowledger.send();
        if (!inFlight.awaitRoom(batch, BLOCK.toMillis())) {
            return;
        }
        switch (valve.position()) {
            case SHUT -> stopped.await(100, TimeUnit.MILLISECONDS);
            case TRYING -> tryWhatIsHeld();
            case OPEN -> read();
        }
    }

    private void read() {
        long planned = lookAgainAt.get();
        if (planned != NEVER && planned - System.nanoTime() <= 0 && lookAgainAt.compareAndSet(planned, NEVER)) {
            after = BEGINNING;
        }
        if (after != null) {
            readOwn();
            return;
        }
        if (nextRound - System.nanoTime() <= 0) {
            round();
        }
        List<Entry> entries = feed.next(appetite, BLOCK);
        entries.forEach(this::deliver);
        whet(entries);
    }

    private void readOwn() {
        Feed.Page page = feed.own(after, appetite);
        lost(page.lost());
        page.entries().forEach(this::deliver);
        after = page.last().isEmpty() ? null : page.last();
        whet(page.entries());
    }

    /** A first read of large entries must not be a large read: the appetite comes with the eating. */
    private void whet(List<Entry> entries) {
        if (entries.size() == appetite) {
            long bytes = entries.stream().mapToLong(Entry::bytes).sum();
            long fitting = READ_BYTES * entries.size() / Math.max(1, bytes);
            appetite = (int) Math.max(1, Math.min(Math.min(batch, 4L * appetite), fitting));
        }
    }

    /** Only what is held already: nothing more is taken while it is not known that anything gets through. */
    private void tryWhatIsHeld() throws InterruptedException {
        Feed.Page page = feed.own(BEGINNING, appetite);
        lost(page.lost());
        long tried = page.entries().stream().filter(this::deliver).count();
        if (tried == 0 && inFlight.size() == 0) {
            open();
        } else if (tried == 0) {
            // on their way: their outcome decides
            stopped.await(50, TimeUnit.MILLISECONDS);
        }
    }

    /** What somebody else may have left, and what nobody needs any more. */
    private void round() {
        Feed.Adopted adopted = feed.adopt(batch);
        lost(adopted.lost());
        if (adopted.entries() > 0) {
            lookAgain(Duration.ZERO);
        }
        dead = feed.tidy();
        long jitter = ThreadLocalRandom.current().nextLong(roundMillis / 4 + 1);
        nextRound = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(roundMillis - jitter);
    }

    private boolean deliver(Entry entry) {
        boolean isNew = inFlight.add(entry);
        if (isNew) {
            delivery.accept(entry);
        }
        return isNew;
    }

    /** Something got through: what is held is read to its end, then what is new. */
    void open() {
        if (valve.open()) {
            LOG.info("reading again {}", feed.name());
            lookAgain(Duration.ZERO);
        }
    }

    /** What is held is read again from its beginning, in a while. */
    void lookAgain(Duration pause) {
        long at = System.nanoTime() + pause.toNanos();
        lookAgainAt.accumulateAndGet(at, (planned, wished) -> planned == NEVER ? wished : Math.min(planned, wished));
    }

    private void lost(long number) {
        if (number > 0) {
            lost.addAndGet(number);
            LOG.warn("entries were trimmed before they were delivered {} entries={}", feed.name(), number);
        }
    }

    private void wentWell() {
        if (away != null) {
            away = null;
            LOG.info("Redis answers again {}", feed.name());
        }
        backoff.reset();
    }

    private void wentWrong(Throwable failure) {
        String reason = Reason.of(failure);
        away = reason;
        awayLines.log(suppressed -> LOG.warn(
                "Redis does not do what is asked, trying again {} suppressed={} error={}",
                feed.name(),
                suppressed,
                reason));
        LOG.debug("in full", failure);
        try {
            stopped.await(backoff.next().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** No further read; one that waits for an entry ends. */
    void stop() {
        stopped.countDown();
        feed.wake();
    }

    /** Entries that had been trimmed before they were delivered. */
    long lost() {
        return lost.get();
    }

    /** Entries in the dead-letter stream, as of a few seconds ago. */
    long dead() {
        return dead;
    }

    /** What Redis said; null while it does what is asked. */
    String away() {
        return away;
    }
}
