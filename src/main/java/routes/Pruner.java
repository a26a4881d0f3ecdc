package routes;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.camel.CamelContext;
import org.apache.camel.ProducerTemplate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what retention no longer keeps, in batches that hold their locks for milliseconds. How far an account was looked
 * through is remembered, so that old events which a live todo keeps are not looked at again each second; once a minute
 * ages are looked at from the start, and caps and identities at all. What one run cannot finish the next one goes on with.
 * Progress is committed batch by batch, so an interruption loses none.
 */
public final class Pruner {
    private static final Logger LOG = LoggerFactory.getLogger(Pruner.class);
    private static final int BATCH = 500;
    /** Batches of one run, so that a run ends and the next can be of another node. */
    private static final int MOST_BATCHES = 20;

    private static final Duration FROM_THE_START = Duration.ofMinutes(1);

    private final ProducerTemplate producer;
    private final Settings settings;
    private final Map<Long, Position> positions = new HashMap<>();
    private final Map<Long, Position> positionsBelowCap = new HashMap<>();
    private Instant keysLookedThrough;
    /** Whether a loop ended by its count, with work left. */
    private boolean cutShort;

    private boolean capsUnfinished;
    private boolean keysUnfinished;
    private long nextFull = System.nanoTime();

    /** What one run deleted. */
    public record Counts(long events, long todos, long keys) {
        Counts plus(Counts more) {
            return new Counts(events + more.events, todos + more.todos, keys + more.keys);
        }
    }

    private static final Counts NONE = new Counts(0, 0, 0);

    private static final class Position {
        private Instant eventAt;
        private Long eventId;
        private Instant todoAt;
        private UUID todoId;
    }

    /** What is as old or older goes; at that very time, ids up to this one, or any when it is null. */
    private record Limit(OffsetDateTime at, Object id) {}

    public Pruner(CamelContext context, Settings settings) {
        this.producer = context.createProducerTemplate();
        this.settings = settings;
    }

    /** One run: ages every time, the rest once a minute, and more often while a run's batches do not suffice. */
    public synchronized Counts prune() {
        boolean minutely = nextFull - System.nanoTime() <= 0;
        if (minutely) {
            nextFull = System.nanoTime() + FROM_THE_START.toNanos();
            positions.clear();
        }
        Counts counts = pruneByAge();
        if (minutely || capsUnfinished) {
            counts = counts.plus(pruneByCap());
        }
        if (minutely || keysUnfinished) {
            counts = counts.plus(pruneKeys());
        }
        if (minutely) {
            pruneAudit();
            rows(
                    PrunerRoute.ENDED_ACCESS,
                    Map.of("days", settings.get(Settings.Key.AUDIT_MAX_AGE_DAYS), "limit", BATCH));
        }
        return report(counts);
    }

    /** One run that remembers no position: ages, caps and identities. */
    public synchronized Counts pruneFromTheStart() {
        nextFull = System.nanoTime();
        positionsBelowCap.clear();
        keysLookedThrough = null;
        return prune();
    }

    private Counts pruneByAge() {
        int days = settings.get(Settings.Key.RETENTION_MAX_AGE_DAYS);
        Counts counts = NONE;
        for (Map<String, Object> due : rows(PrunerRoute.DUE, lookedThrough(days))) {
            long account = (Long) due.get("account_id");
            Limit limit = new Limit(time(due.get("before")), null);
            Position position = positions.computeIfAbsent(account, a -> new Position());
            if ((Boolean) due.get("events_due")) {
                counts = counts.plus(pruneEvents(account, limit, position));
            }
            if ((Boolean) due.get("todos_due")) {
                counts = counts.plus(pruneTodos(account, limit, position));
            }
        }
        return counts;
    }

    private Counts pruneByCap() {
        long cap = settings.get(Settings.Key.RETENTION_MAX_ROWS);
        cutShort = false;
        Counts counts = NONE;
        for (Map<String, Object> over : rows(PrunerRoute.EVENTS_OVER_CAP, Map.of("cap", cap))) {
            long account = (Long) over.get("account_id");
            Limit limit = new Limit(time(over.get("at")), over.get("id"));
            counts = counts.plus(pruneEvents(account, limit, positionBelowCap(account)));
        }
        for (Map<String, Object> over : rows(PrunerRoute.TODOS_OVER_CAP, Map.of("cap", cap))) {
            long account = (Long) over.get("account_id");
            Limit limit = new Limit(time(over.get("at")), text(over.get("id")));
            counts = counts.plus(pruneTodos(account, limit, positionBelowCap(account)))
                    .plus(pruneEventsOfTodos(account, limit));
        }
        capsUnfinished = cutShort;
        if (!capsUnfinished) {
            positionsBelowCap.clear();
        }
        return counts;
    }

    private Position positionBelowCap(long account) {
        return positionsBelowCap.computeIfAbsent(account, a -> new Position());
    }

    private Counts pruneEvents(long account, Limit limit, Position position) {
        Counts counts = NONE;
        for (int i = 0; i < MOST_BATCHES; i++) {
            Map<String, Object> batch = batch(account, limit);
            batch.put("after_at", position.eventAt == null ? null : position.eventAt.atOffset(ZoneOffset.UTC));
            batch.put("after_id", position.eventId);
            List<Map<String, Object>> locked = rows(PrunerRoute.EVENTS, batch);
            if (locked.isEmpty()) {
                return counts;
            }
            counts = counts.plus(gone(batch));
            Map<String, Object> last = locked.get(locked.size() - 1);
            position.eventAt = ((Date) last.get("received_at")).toInstant();
            position.eventId = (Long) last.get("id");
        }
        cutShort = true;
        return counts;
    }

    private Counts pruneEventsOfTodos(long account, Limit limit) {
        Counts counts = NONE;
        for (int i = 0; i < MOST_BATCHES; i++) {
            Map<String, Object> batch = batch(account, limit);
            List<Map<String, Object>> locked = rows(PrunerRoute.EVENTS_OF_TODOS, batch);
            Counts gone = locked.isEmpty() ? NONE : gone(batch);
            counts = counts.plus(gone);
            // what a live todo keeps would be found again and again
            if (gone.events == 0) {
                return counts;
            }
        }
        cutShort = true;
        return counts;
    }

    private Counts pruneTodos(long account, Limit limit, Position position) {
        Counts counts = NONE;
        for (int i = 0; i < MOST_BATCHES; i++) {
            Map<String, Object> batch = batch(account, limit);
            batch.put("after_at", position.todoAt == null ? null : position.todoAt.atOffset(ZoneOffset.UTC));
            batch.put("after_id", position.todoId == null ? null : position.todoId.toString());
            List<Map<String, Object>> gone = rows(PrunerRoute.TODOS, batch);
            if (gone.isEmpty()) {
                return counts;
            }
            counts = counts.plus(new Counts(0, gone.size(), 0));
            Map<String, Object> last = gone.get(gone.size() - 1);
            position.todoAt = ((Date) last.get("completed_at")).toInstant();
            position.todoId = (UUID) last.get("id");
        }
        cutShort = true;
        return counts;
    }

    /** Goes round: all identities that are old enough are looked at in turn, those whose event is still there in vain. */
    private Counts pruneKeys() {
        Counts counts = NONE;
        long forgotten = 0;
        for (int i = 0; i < MOST_BATCHES; i++) {
            Map<String, Object> batch = new HashMap<>();
            batch.put("days", settings.get(Settings.Key.IDENTITY_MIN_DAYS));
            batch.put("after_at", keysLookedThrough == null ? null : keysLookedThrough.atOffset(ZoneOffset.UTC));
            batch.put("limit", BATCH);
            Map<String, Object> looked = rows(PrunerRoute.KEYS, batch).get(0);
            forgotten = (Long) looked.get("forgotten");
            counts = counts.plus(new Counts(0, 0, forgotten));
            if ((Long) looked.get("looked_at") < BATCH) {
                keysLookedThrough = null;
                keysUnfinished = false;
                return counts;
            }
            Instant last = ((Date) looked.get("last_at")).toInstant();
            // more of one instant than a batch holds, and all of them stay: step over it
            keysLookedThrough = last.equals(keysLookedThrough) && forgotten == 0 ? last.plusNanos(1_000) : last;
        }
        // where nothing goes, the next minute is soon enough to look on
        keysUnfinished = forgotten > 0;
        return counts;
    }

    private Map<String, Object> lookedThrough(int days) {
        List<Map.Entry<Long, Position>> all = new ArrayList<>(positions.entrySet());
        Map<String, Object> looked = new HashMap<>();
        looked.put("age_days", days);
        looked.put("account_ids", all.stream().map(Map.Entry::getKey).toArray(Long[]::new));
        looked.put(
                "event_ats", all.stream().map(e -> text(e.getValue().eventAt)).toArray(String[]::new));
        looked.put("event_ids", all.stream().map(e -> e.getValue().eventId).toArray(Long[]::new));
        looked.put("todo_ats", all.stream().map(e -> text(e.getValue().todoAt)).toArray(String[]::new));
        looked.put("todo_ids", all.stream().map(e -> text(e.getValue().todoId)).toArray(String[]::new));
        return looked;
    }

    /** As much as a run may; the next minute goes on. */
    private void pruneAudit() {
        Map<String, Object> batch = Map.of("days", settings.get(Settings.Key.AUDIT_MAX_AGE_DAYS), "limit", BATCH);
        for (int i = 0; i < MOST_BATCHES; i++) {
            if ((Long) rows(PrunerRoute.AUDIT, batch).get(0).get("lines") < BATCH) {
                return;
            }
        }
    }

    private static Map<String, Object> batch(long account, Limit limit) {
        Map<String, Object> batch = new HashMap<>();
        batch.put("account_id", account);
        batch.put("before", limit.at);
        batch.put("before_id", limit.id);
        batch.put("limit", BATCH);
        return batch;
    }

    private static Counts gone(Map<String, Object> batch) {
        Map<?, ?> deleted = (Map<?, ?>) batch.get(PrunerRoute.DELETED);
        return deleted == null ? NONE : new Counts((Long) deleted.get("events"), (Long) deleted.get("todos"), 0);
    }

    private static Counts report(Counts counts) {
        if (!counts.equals(NONE)) {
            LOG.info("pruned events={} todos={} keys={}", counts.events, counts.todos, counts.keys);
        }
        return counts;
    }

    private static OffsetDateTime time(Object timestamp) {
        return ((Date) timestamp).toInstant().atOffset(ZoneOffset.UTC);
    }

    private static String text(Object value) {
        return value == null ? null : value.toString();
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> rows(String endpoint, Map<String, Object> parameters) {
        return producer.requestBody(endpoint, parameters, List.class);
    }
}
