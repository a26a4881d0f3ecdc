package redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import model.Refusal;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.Suspendable;
import org.apache.camel.spi.Synchronization;
import org.apache.camel.support.DefaultConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import pace.LogPace;

/**
 * Makes an exchange of each entry that its {@link Reader} reads, and sees to what becomes of it: acknowledged when the
 * exchange is completed, and never before. Starting needs no Redis. Stopping ends the reading first; what was read goes on,
 * and its acknowledgements are sent before the stop is over.
 */
public final class FeedConsumer extends DefaultConsumer implements Suspendable, Watched {
    private static final Logger LOG = LoggerFactory.getLogger(FeedConsumer.class);
    private static final long MOST_BYTES = 16L << 20;
    private static final Duration REFUSED_AGAIN = Duration.ofSeconds(1);
    private static final long PATIENCE_MILLIS = 5_000;
    private static final int LONGEST_REASON = 300;

    private final FeedEndpoint endpoint;
    private final LogPace refusals = new LogPace();
    private final LogPace shuts = new LogPace();
    private volatile Reading reading;

    /** What exists between one start and the next stop. */
    private record Reading(
            Feed feed, InFlight inFlight, Valve valve, Acknowledger acknowledger, Reader reader, Thread thread) {}

    FeedConsumer(FeedEndpoint endpoint, Processor processor) {
        super(endpoint, processor);
        this.endpoint = endpoint;
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        Feed feed = endpoint.feed();
        InFlight inFlight = new InFlight(endpoint.getMaxInFlight(), MOST_BYTES);
        begin(feed, inFlight, new Valve(), new Acknowledger(feed, inFlight, endpoint.failures()));
    }

    /** With what was on its way at the suspension, which may still be. */
    @Override
    protected void doResume() throws Exception {
        begin(reading.feed(), reading.inFlight(), reading.valve(), reading.acknowledger());
        super.doResume();
    }

    @Override
    protected void doSuspend() throws Exception {
        end();
        super.doSuspend();
    }

    @Override
    protected void doStop() throws Exception {
        end();
        super.doStop();
    }

    private void begin(Feed feed, InFlight inFlight, Valve valve, Acknowledger acknowledger) {
        Reader reader = new Reader(
                feed,
                inFlight,
                valve,
                acknowledger,
                endpoint.getBatch(),
                endpoint.claimIdleTime(),
                endpoint.failures(),
                this::deliver);
        Thread thread = new Thread(reader, "redis-" + endpoint.getKey());
        thread.setDaemon(true);
        reading = new Reading(feed, inFlight, valve, acknowledger, reader, thread);
        thread.start();
    }

    /** Reads nothing more; what was read goes on. Returns at once. */
    @Override
    public void leave() {
        Reading now = reading;
        if (now != null) {
            now.reader().stop();
        }
    }

    private void end() throws InterruptedException {
        Reading ending = reading;
        if (ending == null) {
            return;
        }
        ending.reader().stop();
        ending.thread().join(PATIENCE_MILLIS);
        ending.acknowledger().finish(PATIENCE_MILLIS);
    }

    private void deliver(Entry entry) {
        Reading now = reading;
        Exchange exchange = createExchange(true);
        try {
            exchange.getMessage().setHeader(RedisHeaders.ENTRY_ID, entry.id());
            exchange.getMessage().setHeader(RedisHeaders.KEY, endpoint.getKey());
            exchange.getMessage().setHeader(RedisHeaders.CONNECTION, endpoint.getConnection());
            endpoint.fill(exchange, entry);
        } catch (Body.Unreadable reason) {
            refuse(now, entry.id(), 1, reason.getMessage(), reason.getMessage());
            return;
        }
        Outcome outcome = new Outcome(now, entry.id());
        exchange.getExchangeExtension().addOnCompletion(outcome);
        try {
            getAsyncProcessor().process(exchange, doneSync -> outcome.notBegun(exchange));
        } catch (RuntimeException failure) {
            exchange.setException(failure);
            outcome.notBegun(exchange);
        }
    }

    /** What becomes of one entry, decided once. */
    private final class Outcome implements Synchronization {
        private final Reading of;
        private final String id;
        private final AtomicBoolean decided = new AtomicBoolean();

        Outcome(Reading of, String id) {
            this.of = of;
            this.id = id;
        }

        @Override
        public void onComplete(Exchange exchange) {
            if (decided.compareAndSet(false, true)) {
                of.reader().open();
                of.acknowledger().acknowledge(id);
            }
        }

        @Override
        public void onFailure(Exchange exchange) {
            if (decided.compareAndSet(false, true)) {
                failed(of, id, cause(exchange));
            }
        }

        /** A route that is stopping takes no exchange, and then nobody else says so. */
        void notBegun(Exchange exchange) {
            if (exchange.getException() != null) {
                onFailure(exchange);
            }
        }

        private Throwable cause(Exchange exchange) {
            Throwable failure = exchange.getException();
            return failure == null ? exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class) : failure;
        }
    }

    private void failed(Reading of, String id, Throwable cause) {
        String reason = cause == null ? "the route was rolled back" : String.valueOf(cause.getMessage());
        switch (Blame.of(cause)) {
            case ENTRY_FOR_GOOD -> refuse(of, id, 1, reason, reason);
            // a message that is not ours may quote the entry: it goes where the entry goes, and not into the log
            case ENTRY ->
                refuse(
                        of,
                        id,
                        endpoint.getMaxDeliveries(),
                        reason,
                        cause == null || cause instanceof Refusal
                                ? reason
                                : cause.getClass().getName());
            case PASSING -> {
                of.inFlight().remove(List.of(id));
                if (of.valve().shut(reason)) {
                    shuts.log(suppressed -> LOG.warn(
                            "reading nothing new until something gets through {} suppressed={} reason={}",
                            of.feed().name(),
                            suppressed,
                            line(reason)));
                }
            }
        }
    }

    /** @param said of the reason, in the log */
    private void refuse(Reading of, String id, int limit, String reason, String said) {
        // whatever is wrong with this one, the way through is clear
        of.reader().open();
        refused(of, id, limit, reason).whenComplete((fate, failure) -> {
            of.inFlight().remove(List.of(id));
            if (failure != null || fate == Feed.Fate.COUNTED) {
                of.reader().lookAgain(REFUSED_AGAIN);
            }
            refusals.log(suppressed -> LOG.warn(
                    "refused {} delivery={} fate={} suppressed={} reason={}",
                    of.feed().name(),
                    id,
                    failure == null ? fate.word() : "unknown",
                    suppressed,
                    line(said)));
        });
    }

    private static CompletionStage<Feed.Fate> refused(Reading of, String id, int limit, String reason) {
        try {
            return of.feed().refuse(id, limit, line(reason));
        } catch (RuntimeException away) {
            return CompletableFuture.failedFuture(away);
        }
    }

    private static String line(String reason) {
        String line = reason.replaceAll("\\s+", " ").strip();
        return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON);
    }

    @Override
    public Standing standing() {
        Reading now = reading;
        if (now == null) {
            return new Standing(false, endpoint.getKey() + ": not started");
        }
        String name = now.feed().name();
        String away = now.reader().away();
        if (away != null) {
            return new Standing(false, name + ": Redis (" + endpoint.url() + ") does not do what is asked: " + away);
        }
        String counts = name + " (" + now.inFlight().size() + " in flight, "
                + now.reader().dead() + " dead, " + now.reader().lost() + " lost)";
        return now.valve()
                .reason()
                .map(reason -> new Standing(false, counts + ": waits: " + line(reason)))
                .orElse(new Standing(true, counts));
    }

    /** Entries that were acknowledged since it started. */
    long acknowledged() {
        return reading.acknowledger().acknowledged();
    }

    /** Entries that are read and not acknowledged. */
    int inFlight() {
        return reading.inFlight().size();
    }
}
