package claims;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.apache.camel.CamelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes todos back whose lease lapsed and makes todos due whose time has come. Two timers call it about once a second on
 * every node; a desk that finds a queue empty calls it itself when they have not, so a dead timer strands nothing.
 */
public final class Sweeps {
    /** Takes back at most {@code limit} todos; answers requeued and failed for each queue. */
    public static final String REAP = "direct:reap-lapsed-leases";
    /** Takes at most {@code limit} todos back from endpoints that ended; answers requeued and failed for each queue. */
    public static final String SETTLE = "direct:settle-ended-endpoints";
    /** Makes at most {@code limit} todos due; answers promoted for each queue. */
    public static final String PROMOTE = "direct:promote-due-todos";

    private static final Logger LOG = LoggerFactory.getLogger(Sweeps.class);
    private static final int BATCH = 500;
    private static final int BATCHES = 20;
    private static final Duration OVERDUE = Duration.ofMillis(1_500);

    private final Statements statements;
    private final Wakeups wakeups;
    private final AtomicLong lastSweep = new AtomicLong(System.nanoTime());

    /** How many todos one run took back, gave up, and made due. */
    public record Swept(long requeued, long failed, long promoted) {}

    public Sweeps(CamelContext context, Wakeups wakeups) {
        this.statements = new Statements(context);
        this.wakeups = wakeups;
    }

    /** Takes back what lapsed, in batches, until nothing is left or it has done its share. */
    public Swept reap() throws Exception {
        Swept lapsed = takeBack(REAP);
        lastSweep.set(System.nanoTime());
        if (lapsed.requeued + lapsed.failed > 0) {
            LOG.info("took back todos whose lease lapsed requeued={} failed={}", lapsed.requeued, lapsed.failed);
        }
        return lapsed;
    }

    /** Takes back what is held by endpoints that were revoked or have expired, in the same way. */
    public Swept settle() throws Exception {
        Swept ended = takeBack(SETTLE);
        if (ended.requeued + ended.failed > 0) {
            LOG.info("took back todos whose endpoint ended requeued={} failed={}", ended.requeued, ended.failed);
        }
        return ended;
    }

    private Swept takeBack(String statement) throws Exception {
        long requeued = 0;
        long failed = 0;
        for (int i = 0; i < BATCHES; i++) {
            List<Map<String, Object>> queues = statements.maps(statement, Map.of("limit", BATCH));
            ring(queues);
            requeued += sum(queues, "requeued");
            failed += sum(queues, "failed");
            if (sum(queues, "requeued") + sum(queues, "failed") < BATCH) {
                break;
            }
        }
        return new Swept(requeued, failed, 0);
    }

    /** Makes due what waited for its time, in batches, until nothing is left or it has done its share. */
    public Swept promote() throws Exception {
        long promoted = 0;
        for (int i = 0; i < BATCHES; i++) {
            List<Map<String, Object>> queues = statements.maps(PROMOTE, Map.of("limit", BATCH));
            ring(queues);
            promoted += sum(queues, "promoted");
            if (sum(queues, "promoted") < BATCH) {
                break;
            }
        }
        lastSweep.set(System.nanoTime());
        if (promoted > 0) {
            LOG.debug("made todos due promoted={}", promoted);
        }
        return new Swept(0, 0, promoted);
    }

    /** Does both when nobody on this node has done either for longer than the timers take, at most once a second. */
    void runIfOverdue() throws Exception {
        long last = lastSweep.get();
        if (System.nanoTime() - last > OVERDUE.toNanos() && lastSweep.compareAndSet(last, System.nanoTime())) {
            reap();
            promote();
        }
    }

    /** The announcement reaches every node; here nobody has to wait for it, and there may be no listener. */
    private void ring(List<Map<String, Object>> queues) {
        queues.forEach(row -> wakeups.ring((Long) row.get("account_id"), (String) row.get("queue")));
    }

    private static long sum(List<Map<String, Object>> queues, String column) {
        ToLongFunction<Map<String, Object>> value = row -> (Long) row.get(column);
        return queues.stream().mapToLong(value).sum();
    }

    /** How long ago the last sweep was, for health. */
    public Duration sinceLastSweep() {
        return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastSweep.get()));
    }
}
