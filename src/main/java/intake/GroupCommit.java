package intake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import model.Receipt;
import model.Refusal;
import org.apache.camel.CamelContext;
import org.apache.camel.ProducerTemplate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deliveries that wait are written together. Committers take whatever waits, without lingering: alone, a delivery is
 * written at once; under load a transaction is paid once by many. What is bounded, and by how much, was decided at
 * admission ({@link IntakeProducer}), so that nothing is dropped here.
 */
public final class GroupCommit implements AutoCloseable {
    /** The one transaction; {@code routes.IntakeRoute} answers. */
    public static final String COMMIT = "direct:intake-commit";
    /** The next block of event ids. */
    public static final String NEXT_BLOCK = "direct:intake-next-block";
    /** How a COMMIT ended whose answer was lost. */
    public static final String OUTCOME = "direct:intake-outcome";

    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
    private static final int MOST_DELIVERIES = 256;
    private static final long MOST_BYTES = 8L << 20;
    private static final Duration LOOK_UP = Duration.ofMillis(500);

    private final LinkedBlockingDeque<Waiting> line = new LinkedBlockingDeque<>();
    private final List<Thread> committers = new ArrayList<>();
    private final ScheduledThreadPoolExecutor deadlines;
    private final BatchWriter writer;
    private volatile boolean draining;

    /**
     * @param committers how many transactions run at a time; two use two cores' worth of PostgreSQL
     */
    public GroupCommit(CamelContext context, int committers) {
        ProducerTemplate producer = context.createProducerTemplate();
        this.writer = new BatchWriter(producer, this::putBack);
        this.deadlines = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "intake-deadlines"));
        deadlines.setRemoveOnCancelPolicy(true);
        for (int i = 1; i <= committers; i++) {
            Thread committer = daemon(this::commitUntilDrained, "intake-committer-" + i);
            this.committers.add(committer);
            committer.start();
        }
    }

    /** Ends with a receipt after the commit, or with a {@link Refusal}; at the deadline at the latest. */
    CompletableFuture<Receipt> submit(Waiting waiting) {
        if (draining) {
            waiting.refused(stopping());
            return waiting.receipt();
        }
        Future<?> deadline =
                deadlines.schedule(waiting::tooLate, waiting.deadline() - System.nanoTime(), TimeUnit.NANOSECONDS);
        waiting.receipt().whenComplete((receipt, refusal) -> deadline.cancel(false));
        line.add(waiting);
        // the committers may have found the line empty and left meanwhile
        if (draining && line.remove(waiting)) {
            waiting.refused(stopping());
        }
        return waiting.receipt();
    }

    /** How many wait for a committer. */
    public int depth() {
        return line.size();
    }

    private void putBack(List<Waiting> untried) {
        for (int i = untried.size() - 1; i >= 0; i--) {
            untried.get(i).withDatabase(false);
            line.addFirst(untried.get(i));
        }
    }

    private void commitUntilDrained() {
        while (!draining || !line.isEmpty()) {
            List<Waiting> batch = nextBatch();
            if (!batch.isEmpty()) {
                write(batch);
            }
        }
    }

    private void write(List<Waiting> batch) {
        try {
            writer.write(batch);
        } catch (RuntimeException | Error unexpected) {
            // a committer outlives whatever it meets; who has an answer already keeps it
            LOG.error("a batch failed in a way nobody foresaw deliveries={}", batch.size(), unexpected);
            batch.forEach(waiting -> waiting.refused(new Refusal(
                    Refusal.Code.INTERNAL,
                    waiting.delivery().source() + ": the hub failed on this delivery; send again (internal)",
                    unexpected)));
        }
    }

    private static Refusal stopping() {
        return new Refusal(Refusal.Code.STOPPING, "the hub is stopping; send again (stopping)");
    }

    private List<Waiting> nextBatch() {
        List<Waiting> batch = new ArrayList<>();
        long bytes = 0;
        Waiting next = first();
        while (next != null) {
            if (next.overdue()) {
                next.tooLate();
            } else if (!batch.isEmpty() && bytes + next.bytes() > MOST_BYTES) {
                line.addFirst(next);
                break;
            } else {
                batch.add(next);
                bytes += next.bytes();
            }
            next = batch.size() < MOST_DELIVERIES ? line.poll() : null;
        }
        return batch;
    }

    private Waiting first() {
        try {
            return line.poll(LOOK_UP.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Takes nothing new, writes what waits, and returns when each of them has its answer. */
    @Override
    public void close() {
        draining = true;
        for (Thread committer : committers) {
            try {
                committer.join(TimeUnit.SECONDS.toMillis(15));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        deadlines.shutdownNow();
    }
}
