package intake;

import adapters.Outcome;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.github.f4b6a3.uuid.UuidCreator;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import model.Delivery;
import model.Receipt;
import model.TodoDraft;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import pace.LogPace;
import verify.Text;

/**
 * What one transaction writes: the arrays that its statements unnest, and what their answers mean for each delivery.
 * {@code routes.IntakeRoute} calls the steps in the order in which they stand here.
 */
public final class Batch {
    /** Rows of the events that were new. */
    public static final String EVENTS = "BatchEvents";
    /** Rows of the todos that were new. */
    public static final String TODOS = "BatchTodos";
    /** Rows of the deliveries that were met before, one for each todo of the first copy. */
    public static final String MET = "BatchMet";
    /** Rows of the live todos that swallowed one of ours. */
    public static final String SWALLOWERS = "BatchSwallowers";

    static final String PROPERTY = "Batch";

    private static final Logger LOG = LoggerFactory.getLogger(Batch.class);
    private static final LogPace REPLAYS = new LogPace();
    private static final ObjectWriter JSON = new JsonMapper().writer();

    private final List<EventRow> events = new ArrayList<>();
    private final Map<String, Object> parameters = new HashMap<>();
    private List<TodoRow> todos = List.of();
    private Set<Long> newEvents = Set.of();
    private Set<UUID> newTodos = Set.of();
    private List<EventRow> duplicates = List.of();
    private List<TodoRow> swallowed = List.of();
    private Long transactionId;
    private Long serverStarted;
    private List<Receipt> receipts;

    private record EventRow(long id, Delivery delivery, Outcome outcome, List<TodoRow> todos) {}

    private record TodoRow(UUID id, long eventId, Delivery delivery, TodoDraft draft) {}

    /**
     * @param lockTimeoutMillis how long a statement waits for a key that somebody else holds
     */
    Batch(List<Waiting> deliveries, EventIds ids, int lockTimeoutMillis) {
        for (Waiting waiting : deliveries) {
            long id = ids.next();
            List<TodoRow> drafted = new ArrayList<>();
            for (TodoDraft draft : waiting.outcome().todos()) {
                drafted.add(new TodoRow(UuidCreator.getTimeOrderedEpoch(), id, waiting.delivery(), draft));
            }
            events.add(new EventRow(id, waiting.delivery(), waiting.outcome(), drafted));
        }
        parameters.put("lock_timeout", Integer.toString(lockTimeoutMillis));
        parameters.put("ids", column(events, Long.class, EventRow::id));
        parameters.put("account_ids", column(events, Long.class, e -> e.delivery.accountId()));
        parameters.put("sources", column(events, String.class, e -> e.delivery.source()));
        parameters.put(
                "families",
                column(events, String.class, e -> e.delivery.family().word()));
        parameters.put("event_types", column(events, String.class, e -> e.delivery.eventType()));
        parameters.put("external_ids", column(events, String.class, e -> e.delivery.externalId()));
        parameters.put("signature_hashes", column(events, byte[].class, e -> signatureHash(e.delivery)));
        parameters.put(
                "trust_modes",
                column(events, String.class, e -> e.delivery.trustMode().word()));
        parameters.put("verifieds", column(events, Boolean.class, e -> e.delivery.verified()));
        parameters.put("verify_details", column(events, String.class, e -> e.delivery.verifyDetail()));
        parameters.put("content_types", column(events, String.class, e -> e.delivery.contentType()));
        parameters.put("headers", column(events, String.class, e -> json(e.delivery.headers())));
        parameters.put("payloads", column(events, byte[].class, e -> e.delivery.payload()));
        parameters.put("source_ips", column(events, String.class, e -> e.delivery.sourceIp()));
        parameters.put(
                "dispositions",
                column(events, String.class, e -> e.outcome.disposition().word()));
        parameters.put("rule_traces", column(events, String.class, e -> e.outcome.traceJson()));
        parameters.put("replayed_froms", column(events, Long.class, e -> e.delivery.replayedFrom()));
    }

    /** The body of the exchange: array by parameter name. */
    Map<String, Object> parameters() {
        return parameters;
    }

    private static Batch of(Exchange exchange) {
        return exchange.getProperty(PROPERTY, Batch.class);
    }

    /** After the events: the todos of those that were new, and nothing of a duplicate. */
    public static void keepTodosOfNewEvents(Exchange exchange) {
        of(exchange).keepTodosOfNewEvents(rows(exchange, EVENTS));
    }

    private void keepTodosOfNewEvents(List<Map<String, Object>> rows) {
        newEvents = new HashSet<>();
        for (Map<String, Object> row : rows) {
            newEvents.add((Long) row.get("id"));
            transactionId = (Long) row.get("transaction_id");
            serverStarted = (Long) row.get("server_started");
        }
        todos = new ArrayList<>();
        duplicates = new ArrayList<>();
        for (EventRow event : events) {
            if (newEvents.contains(event.id)) {
                todos.addAll(event.todos);
            } else {
                duplicates.add(event);
            }
        }
        parameters.put("todo_ids", column(todos, String.class, t -> t.id.toString()));
        parameters.put("todo_account_ids", column(todos, Long.class, t -> t.delivery.accountId()));
        parameters.put("todo_queues", column(todos, String.class, t -> t.draft.queue()));
        parameters.put("todo_sources", column(todos, String.class, t -> t.delivery.source()));
        parameters.put("todo_kinds", column(todos, String.class, t -> t.draft.kind()));
        parameters.put("todo_titles", column(todos, String.class, t -> t.draft.title()));
        parameters.put("todo_keys", column(todos, String.class, t -> t.draft.key()));
        parameters.put("todo_assignees", column(todos, String.class, t -> t.draft.assignee()));
        parameters.put("todo_priorities", column(todos, Integer.class, t -> t.draft.priority()));
        parameters.put("todo_max_attempts", column(todos, Integer.class, t -> t.draft.maxAttempts()));
        parameters.put("todo_event_ids", column(todos, Long.class, TodoRow::eventId));
    }

    public static boolean hasTodos(Exchange exchange) {
        return !of(exchange).todos.isEmpty();
    }

    /** After the todos: which of them a live todo with the same key swallowed. */
    public static void findSwallowed(Exchange exchange) {
        of(exchange).findSwallowed(rows(exchange, TODOS));
    }

    private void findSwallowed(List<Map<String, Object>> rows) {
        newTodos = new HashSet<>();
        rows.forEach(row -> newTodos.add((UUID) row.get("id")));
        swallowed = todos.stream().filter(todo -> !newTodos.contains(todo.id)).toList();
        parameters.put("swallowed_ids", column(swallowed, String.class, t -> t.id.toString()));
        parameters.put("swallowed_account_ids", column(swallowed, Long.class, t -> t.delivery.accountId()));
        parameters.put("swallowed_queues", column(swallowed, String.class, t -> t.draft.queue()));
        parameters.put("swallowed_keys", column(swallowed, String.class, t -> t.draft.key()));
        parameters.put("duplicate_ids", column(duplicates, Long.class, EventRow::id));
        parameters.put("duplicate_account_ids", column(duplicates, Long.class, e -> e.delivery.accountId()));
        parameters.put("duplicate_sources", column(duplicates, String.class, e -> e.delivery.source()));
        parameters.put("duplicate_external_ids", column(duplicates, String.class, e -> e.delivery.externalId()));
        parameters.put("duplicate_signature_hashes", column(duplicates, byte[].class, e -> signatureHash(e.delivery)));
    }

    public static boolean hasSwallowed(Exchange exchange) {
        return !of(exchange).swallowed.isEmpty();
    }

    public static boolean hasDuplicates(Exchange exchange) {
        return !of(exchange).duplicates.isEmpty();
    }

    /** Last before COMMIT: a receipt for each delivery, or {@link Fault.Vanished}, which rolls back. */
    public static void writeReceipts(Exchange exchange) {
        of(exchange).writeReceipts(rows(exchange, MET), rows(exchange, SWALLOWERS));
    }

    private void writeReceipts(List<Map<String, Object>> met, List<Map<String, Object>> swallowers) {
        Map<UUID, UUID> swallowerOf = new HashMap<>();
        swallowers.forEach(row -> swallowerOf.put((UUID) row.get("wanted"), (UUID) row.get("id")));
        Map<Long, Receipt> firstCopies = firstCopies(met);
        sayReplays(met);
        List<Receipt> written = new ArrayList<>(events.size());
        for (EventRow event : events) {
            written.add(
                    newEvents.contains(event.id)
                            ? new Receipt(event.id, false, todosOf(event, swallowerOf))
                            : found(firstCopies.get(event.id), "the key of a duplicate"));
        }
        receipts = written;
    }

    private List<Receipt.Todo> todosOf(EventRow event, Map<UUID, UUID> swallowerOf) {
        List<Receipt.Todo> made = new ArrayList<>(event.todos.size());
        for (TodoRow todo : event.todos) {
            boolean created = newTodos.contains(todo.id);
            UUID id = created ? todo.id : found(swallowerOf.get(todo.id), "the todo that holds a key");
            made.add(new Receipt.Todo(id, todo.draft.queue(), created));
        }
        return made;
    }

    private static Map<Long, Receipt> firstCopies(List<Map<String, Object>> met) {
        Map<Long, Receipt> receipts = new LinkedHashMap<>();
        for (Map<String, Object> row : met) {
            Receipt receipt = receipts.computeIfAbsent(
                    (Long) row.get("wanted"),
                    wanted -> new Receipt((Long) row.get("event_id"), true, new ArrayList<>()));
            if (row.get("todo_id") != null) {
                receipt.todos().add(new Receipt.Todo((UUID) row.get("todo_id"), (String) row.get("queue"), false));
            }
        }
        return receipts;
    }

    /** Somebody has a signed delivery and sends it under ids of their own: an operator wants to know. */
    private void sayReplays(List<Map<String, Object>> met) {
        Set<Long> replayed = new HashSet<>();
        met.stream()
                .filter(row -> (Boolean) row.get("replayed"))
                .forEach(row -> replayed.add((Long) row.get("wanted")));
        duplicates.stream()
                .filter(event -> replayed.contains(event.id))
                .findFirst()
                .ifPresent(event -> REPLAYS.log(suppressed -> LOG.info(
                        "a signed body came again under another delivery id source={} delivery={} replays={} suppressed={}",
                        event.delivery.source(),
                        Text.brief(event.delivery.externalId()),
                        replayed.size(),
                        suppressed)));
    }

    private static byte[] signatureHash(Delivery delivery) {
        return delivery.replayKey() == null ? null : HexFormat.of().parseHex(delivery.replayKey());
    }

    private static <T> T found(T value, String what) {
        if (value == null) {
            throw new Fault.Vanished(what);
        }
        return value;
    }

    /** The receipts, in the order of the deliveries; null until everything but COMMIT was done. */
    List<Receipt> receipts() {
        return receipts;
    }

    /** How to ask afterwards whether this transaction committed; nothing to ask when it only met duplicates. */
    Map<String, Object> question() {
        EventRow event = events.stream()
                .filter(e -> newEvents.contains(e.id))
                .findFirst()
                .orElse(null);
        return event == null
                ? Map.of()
                : Map.of(
                        "account_id", event.delivery.accountId(),
                        "event_id", event.id,
                        "transaction_id", Objects.requireNonNull(transactionId),
                        "server_started", Objects.requireNonNull(serverStarted));
    }

    private static String json(Map<String, String> headers) {
        try {
            return JSON.writeValueAsString(headers);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a map of strings is always JSON", e);
        }
    }

    private static <T, C> C[] column(List<T> rows, Class<C> type, Function<T, C> value) {
        @SuppressWarnings("unchecked")
        C[] column = (C[]) Array.newInstance(type, rows.size());
        for (int i = 0; i < column.length; i++) {
            column[i] = value.apply(rows.get(i));
        }
        return column;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rows(Exchange exchange, String header) {
        List<Map<String, Object>> rows = exchange.getMessage().getHeader(header, List.class);
        return rows == null ? List.of() : rows;
    }
}
