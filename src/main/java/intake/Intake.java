package intake;

import adapters.AdapterRegistry;
import adapters.Facts;
import adapters.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import model.Delivery;
import model.Receipt;
import model.Refusal;
import org.apache.camel.CamelContext;
import verify.Text;

/**
 * The way in for every source alike: admission, cleaning, rules, group commit. A delivery that was admitted has its place to
 * the end, so a committed receipt is never dropped.
 */
public final class Intake implements AutoCloseable {
    /** Longer than a commit under load, shorter than providers wait (GitHub: 10 s). */
    private static final Duration DEADLINE = Duration.ofSeconds(8);

    private static final int MAX_TYPE = 256;
    private static final int MAX_DETAIL = 1_000;

    private final AdapterRegistry adapters;
    private final Budget bytes;
    private final Budget deliveries;
    private final GroupCommit commit;
    private final Executor answers;

    /**
     * @param answers where receipts of doors are handed over; short work, never rejected
     * @param committers transactions at a time
     * @param maxBytes bytes of bodies between their arrival and their receipt
     * @param maxDeliveries deliveries between admission and receipt
     */
    public Intake(
            CamelContext context,
            AdapterRegistry adapters,
            Executor answers,
            int committers,
            long maxBytes,
            long maxDeliveries) {
        this.adapters = adapters;
        this.bytes = new Budget(maxBytes);
        this.deliveries = new Budget(maxDeliveries);
        this.commit = new GroupCommit(context, committers);
        this.answers = answers;
    }

    /** Counts a body that a door reads, as it arrives. */
    public Budget.Hold meter(String adapter, String remoteAddress) {
        return bytes.hold(List.of("adapter " + adapter, "address " + remoteAddress));
    }

    /** A delivery whose receipt a door answers, and whose bytes it has counted. */
    CompletableFuture<Receipt> accept(Delivery delivery) {
        return accept(delivery, answers);
    }

    /** A delivery whose receipt a door answers, and whose bytes are still to be counted. */
    CompletableFuture<Receipt> acceptUncounted(Delivery delivery) {
        return acceptUncounted(delivery, answers);
    }

    /**
     * Counts the bytes of a body that did not come through a meter, and admits it.
     *
     * @throws Refusal as {@link #accept}, or when there is no room for the bytes
     */
    CompletableFuture<Receipt> acceptUncounted(Delivery delivery, Executor receiver) {
        Budget.Hold held = bytes.hold(List.of("adapter " + delivery.adapter()));
        try {
            if (!held.take(delivery.payload().length)) {
                throw overloaded(delivery.adapter());
            }
            return accept(delivery, receiver).whenComplete((receipt, refusal) -> held.giveBack());
        } catch (RuntimeException refused) {
            held.giveBack();
            throw refused;
        }
    }

    /**
     * Admits a delivery, runs its rules on this thread, and hands it to the committers.
     *
     * @param receiver where the receipt is handed over; has a place for it
     * @throws Refusal when there is no room, or the adapter is off
     */
    CompletableFuture<Receipt> accept(Delivery delivery, Executor receiver) {
        Outcome outcome = rules(delivery);
        Budget.Hold place = deliveries.hold(List.of("adapter " + delivery.adapter()));
        if (!place.take(1)) {
            throw overloaded(delivery.adapter());
        }
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        return commit.submit(new Waiting(cleaned(delivery), outcome, deadline, receiver))
                .whenComplete((receipt, refusal) -> place.giveBack());
    }

    private Outcome rules(Delivery delivery) {
        return adapters.named(delivery.adapter())
                .filter(AdapterRegistry.State::on)
                .orElseThrow(() -> new Refusal(
                        Refusal.Code.NOT_FOUND, delivery.adapter() + ": no such adapter, or it is off (not_found)"))
                .adapter()
                .rules()
                .apply(Facts.of(delivery, Instant.now()));
    }

    static Refusal overloaded(String adapter) {
        return new Refusal(
                Refusal.Code.OVERLOADED,
                adapter + ": more deliveries are waiting than the hub holds; send again (overloaded)");
    }

    /** Whatever the source, the database can hold it; an identity is shortened by its hash and never cut. */
    private static Delivery cleaned(Delivery raw) {
        return new Delivery(
                raw.accountId(),
                raw.adapter(),
                raw.source(),
                raw.family(),
                raw.trustMode(),
                raw.verified(),
                Text.line(raw.verifyDetail(), MAX_DETAIL),
                Text.line(raw.eventType(), MAX_TYPE),
                Text.externalId(raw.externalId()),
                Text.line(raw.contentType(), MAX_TYPE),
                raw.headers(),
                raw.payload(),
                raw.sourceIp(),
                raw.replayedFrom(),
                raw.replayKey());
    }

    /** How many wait for a committer. */
    public int depth() {
        return commit.depth();
    }

    /** Bytes of bodies that are held now. */
    public long heldBytes() {
        return bytes.used();
    }

    /** Writes what waits, and answers it. */
    @Override
    public void close() {
        commit.close();
    }
}
