package routes;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import pace.LogPace;

/**
 * How the hub is. Ready means that deliveries are taken: with an adapter off or without a listener it still is, and says
 * {@code degraded}; without a database it is not.
 */
public final class Health {
    private static final Logger LOG = LoggerFactory.getLogger(Health.class);
    private static final long DATABASE_SILENT = TimeUnit.SECONDS.toNanos(10);

    /** How one part is. */
    public record Part(Status status, String detail) {}

    /** From best to worst. */
    public enum Status {
        UP,
        DEGRADED,
        DOWN;

        String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    private final FrontDoor door;
    private final Map<String, Supplier<Part>> parts = new LinkedHashMap<>();
    private final LogPace databaseLines = new LogPace();
    private volatile Part database = new Part(Status.UP, "answers");
    private volatile long databaseAnswered = System.nanoTime();

    public Health(FrontDoor door) {
        this.door = door;
        watch("database", this::database);
    }

    /** Asks this part from now on. */
    public synchronized void watch(String name, Supplier<Part> part) {
        parts.put(name, part);
    }

    /** Called whenever the timer's look at the database went well. */
    public void databaseAnswers() {
        if (database.status() != Status.UP) {
            LOG.info("the database answers again");
        }
        databaseAnswered = System.nanoTime();
        database = new Part(Status.UP, "answers");
    }

    /** The error handler of timers: their next run is their retry, so there is one line and no stack trace. */
    public void timerFailed(Exchange exchange) {
        Throwable root = exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class);
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        String reason =
                root == null ? "unknown" : String.valueOf(root.getMessage()).replaceAll("\\s+", " ");
        databaseLines.log(suppressed -> LOG.error(
                "a timer's run failed, the next one tries again route={} suppressed={} error={}",
                exchange.getFromRouteId(),
                suppressed,
                reason));
        if (OperatorRoutes.LIVE_TIMER.equals(exchange.getFromRouteId())) {
            database = new Part(Status.DOWN, reason);
        }
    }

    private Part database() {
        return database.status() == Status.UP && System.nanoTime() - databaseAnswered > DATABASE_SILENT
                ? new Part(Status.DOWN, "has not answered for 10 s")
                : database;
    }

    /** Every part by name, in the order in which they were added. */
    synchronized Map<String, Part> parts() {
        Map<String, Part> asked = new LinkedHashMap<>();
        parts.forEach((name, part) -> asked.put(name, part.get()));
        return asked;
    }

    /** {@code starting}, {@code stopping}, {@code down}, {@code degraded} or {@code ready}. */
    String word(Map<String, Part> asked) {
        if (!door.isOpen()) {
            return door.isClosing() ? "stopping" : "starting";
        }
        Status worst =
                asked.values().stream().map(Part::status).max(Status::compareTo).orElse(Status.UP);
        return worst == Status.UP ? "ready" : worst.word();
    }
}
