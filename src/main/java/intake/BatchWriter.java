package intake;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import model.Receipt;
import model.Refusal;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.ProducerTemplate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes deliveries together in one transaction, and finds out whose fault it was when that fails. */
final class BatchWriter {
    private static final Logger LOG = LoggerFactory.getLogger(BatchWriter.class);

    /** A healthy neighbour commits within milliseconds; one that holds a key for longer is frozen. */
    private static final int LOCK_TIMEOUT_MILLIS = 400;

    private static final int LOCK_TIMEOUT_ALONE_MILLIS = 50;
    private static final Duration ONE_BY_ONE = Duration.ofSeconds(2);
    private static final int TRIES = 3;

    private final ProducerTemplate producer;
    private final Endpoint commit;
    private final EventIds ids;
    private final LostCommit lostCommit;
    private final Consumer<List<Waiting>> putBack;
    private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());

    /**
     * @param putBack takes deliveries that were not tried, to the front of the line
     */
    BatchWriter(ProducerTemplate producer, Consumer<List<Waiting>> putBack) {
        this.producer = producer;
        this.commit = producer.getCamelContext().getEndpoint(GroupCommit.COMMIT);
        this.ids = new EventIds(producer);
        this.lostCommit = new LostCommit(producer);
        this.putBack = putBack;
    }

    /** Ends for each delivery with a receipt, a refusal, or its place in the line. */
    void write(List<Waiting> deliveries) {
        write(deliveries, 1);
    }

    private void write(List<Waiting> deliveries, int tries) {
        try {
            hand(deliveries, commit(deliveries, LOCK_TIMEOUT_MILLIS));
        } catch (Exception e) {
            switch (Fault.of(e)) {
                case DATA -> split(deliveries, e);
                case AGAIN, VANISHED -> {
                    if (tries < TRIES) {
                        write(deliveries, tries + 1);
                    } else {
                        refuse(deliveries, e);
                    }
                }
                case LOCKED -> writeOneByOne(deliveries);
                case OTHER -> refuse(deliveries, e);
            }
        }
    }

    private void split(List<Waiting> deliveries, Exception fault) {
        if (deliveries.size() == 1) {
            Waiting only = deliveries.get(0);
            LOG.warn(
                    "the database refuses the data of a delivery source={} delivery={} error={}",
                    only.delivery().source(),
                    only.delivery().externalId(),
                    rootMessage(fault));
            only.refused(new Refusal(
                    Refusal.Code.DELIVERY_UNSTORABLE,
                    only.delivery().source() + ": the database refuses this delivery's data (delivery_unstorable)",
                    fault));
            return;
        }
        int half = deliveries.size() / 2;
        write(deliveries.subList(0, half));
        write(deliveries.subList(half, deliveries.size()));
    }

    /** Somebody frozen holds a key of ours: let everybody else through, for a while. */
    private void writeOneByOne(List<Waiting> deliveries) {
        long until = System.nanoTime() + ONE_BY_ONE.toNanos();
        for (int i = 0; i < deliveries.size(); i++) {
            if (until - System.nanoTime() < 0) {
                putBack.accept(deliveries.subList(i, deliveries.size()));
                return;
            }
            List<Waiting> one = deliveries.subList(i, i + 1);
            try {
                hand(one, commit(one, LOCK_TIMEOUT_ALONE_MILLIS));
            } catch (Exception e) {
                if (Fault.of(e) == Fault.DATA) {
                    split(one, e);
                } else {
                    refuse(one, e);
                }
            }
        }
    }

    private List<Receipt> commit(List<Waiting> deliveries, int lockTimeoutMillis) throws Exception {
        for (int tries = 1; ; tries++) {
            Batch batch = new Batch(deliveries, ids, lockTimeoutMillis);
            Exchange exchange = commit.createExchange(ExchangePattern.InOut);
            exchange.setProperty(Batch.PROPERTY, batch);
            exchange.getMessage().setBody(batch.parameters());
            deliveries.forEach(delivery -> delivery.withDatabase(true));
            producer.send(commit, exchange);
            Exception failure = exchange.getException();
            if (failure == null) {
                return batch.receipts();
            }
            if (batch.receipts() == null || Fault.answeredByServer(failure)) {
                throw failure;
            }
            LostCommit.Outcome outcome = lostCommit.of(batch, deliveries.get(0).deadline());
            LOG.warn("a COMMIT lost its connection deliveries={} outcome={}", deliveries.size(), outcome);
            if (outcome == LostCommit.Outcome.COMMITTED) {
                return batch.receipts();
            }
            if (outcome == LostCommit.Outcome.UNKNOWN || tries == TRIES) {
                throw new Refusal(
                        Refusal.Code.COMMIT_UNKNOWN,
                        "the database went away during COMMIT and has not said how it ended; send again (commit_unknown)",
                        failure);
            }
        }
    }

    private static void hand(List<Waiting> deliveries, List<Receipt> receipts) {
        for (int i = 0; i < receipts.size(); i++) {
            deliveries.get(i).committed(receipts.get(i));
        }
    }

    private void refuse(List<Waiting> deliveries, Exception fault) {
        long now = System.nanoTime();
        long quiet = quietUntil.get();
        if (quiet - now <= 0
                && quietUntil.compareAndSet(quiet, now + Duration.ofSeconds(1).toNanos())) {
            LOG.error("deliveries not stored deliveries={} error={}", deliveries.size(), rootMessage(fault));
        }
        Refusal refusal = fault instanceof Refusal known
                ? known
                : new Refusal(
                        Refusal.Code.DATABASE_UNAVAILABLE,
                        "not stored, the database is away or refuses to write; send again (database_unavailable)",
                        fault);
        deliveries.forEach(delivery -> delivery.refused(refusal));
    }

    private static String rootMessage(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getClass().getSimpleName() + ": "
                + String.valueOf(root.getMessage()).replaceAll("\\s+", " ");
    }
}
