package redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import pace.LogPace;

/**
 * Sends acknowledgements, many at a time: what is committed while one is on its way goes with the next. One that failed is
 * kept and sent again; until it is through, its entry counts as in flight and is not delivered a second time.
 */
final class Acknowledger {
    private static final Logger LOG = LoggerFactory.getLogger(Acknowledger.class);
    /** What a script's unpack takes with ease. */
    private static final int MOST = 1_000;

    private final Feed feed;
    private final InFlight inFlight;
    private final ConcurrentLinkedQueue<String> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean sending = new AtomicBoolean();
    private final AtomicLong acknowledged = new AtomicLong();
    private final LogPace failures;

    Acknowledger(Feed feed, InFlight inFlight, LogPace failures) {
        this.feed = feed;
        this.failures = failures;
        this.inFlight = inFlight;
    }

    void acknowledge(String id) {
        waiting.add(id);
        send();
    }

    /** Sends what waits, unless something is on its way, which will see to it. */
    void send() {
        while (!waiting.isEmpty() && sending.compareAndSet(false, true)) {
            List<String> ids = taken();
            if (ids.isEmpty()) {
                sending.set(false);
            } else {
                send(ids);
                return;
            }
        }
    }

    private void send(List<String> ids) {
        try {
            feed.acknowledge(ids).whenComplete((number, failure) -> sent(ids, failure));
        } catch (RuntimeException away) {
            sent(ids, away);
        }
    }

    private void sent(Collection<String> ids, Throwable failure) {
        if (failure == null) {
            acknowledged.addAndGet(ids.size());
            inFlight.remove(ids);
        } else {
            waiting.addAll(ids);
            failures.log(suppressed -> LOG.warn(
                    "acknowledgements failed, they are sent again {} entries={} suppressed={} error={}",
                    feed.name(),
                    ids.size(),
                    suppressed,
                    Reason.of(failure)));
        }
        sending.set(false);
        if (failure == null) {
            send();
        }
        synchronized (this) {
            notifyAll();
        }
    }

    private List<String> taken() {
        List<String> ids = new ArrayList<>();
        for (String id = waiting.poll(); id != null; id = ids.size() < MOST ? waiting.poll() : null) {
            ids.add(id);
        }
        return ids;
    }

    /** Sends what waits; returns when nothing does any more, or when Redis did not take it. */
    void finish(long millis) throws InterruptedException {
        send();
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        synchronized (this) {
            long left = millis;
            while (sending.get() && left > 0) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            }
        }
    }

    /** How many were acknowledged so far. */
    long acknowledged() {
        return acknowledged.get();
    }
}
