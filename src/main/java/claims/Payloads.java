package claims;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import model.Todo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fills the answers of one account with payloads, each up to its budget, in one statement and only when one is needed. */
final class Payloads {
    private static final Logger LOG = LoggerFactory.getLogger(Payloads.class);

    private final Statements statements;

    Payloads(Statements statements) {
        this.statements = statements;
    }

    private record Item(int answer, int place, Todo todo, int budget) {
        int ownSize() {
            return todo.payload() == null ? 0 : todo.payload().getBytes(StandardCharsets.UTF_8).length;
        }

        boolean needsBody() {
            return todo.payload() == null && todo.eventId() != null;
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // the bytes of one answer; nobody compares them
    private record Body(String contentType, byte[] bytes) {}

    private record Spot(int answer, int place) {}

    /** The answers, in order; each holds what its waiter got. */
    List<List<ClaimedTodo>> fill(long account, List<Waiter> waiters) {
        List<Item> items = new ArrayList<>();
        for (int answer = 0; answer < waiters.size(); answer++) {
            Waiter waiter = waiters.get(answer);
            for (int place = 0; place < waiter.got.size(); place++) {
                items.add(new Item(answer, place, waiter.got.get(place).todo(), waiter.ask.maxBytes()));
            }
        }
        Map<Spot, Body> bodies = items.stream().anyMatch(Item::needsBody) ? bodies(account, items) : Map.of();
        List<List<ClaimedTodo>> answers = new ArrayList<>();
        waiters.forEach(waiter -> answers.add(new ArrayList<>(waiter.got.size())));
        long reached = 0;
        for (Item item : items) {
            reached = item.place == 0 ? 0 : reached;
            Body body = bodies.get(new Spot(item.answer, item.place));
            if (item.needsBody()) {
                // what was not sent did not fit, and nothing behind it is filled either
                reached += body == null ? item.budget + 1L : body.bytes.length;
            } else {
                reached += item.ownSize();
            }
            answers.get(item.answer)
                    .add(
                            reached > item.budget
                                    ? new ClaimedTodo(item.todo.withoutPayload(), null, null)
                                    : new ClaimedTodo(
                                            item.todo,
                                            body == null ? null : body.contentType,
                                            body == null ? null : body.bytes));
        }
        return answers;
    }

    private Map<Spot, Body> bodies(long account, List<Item> items) {
        Map<String, Object> parameters = new Columns<>(items)
                .with("account", account)
                .with("answers", Integer.class, Item::answer)
                .with("places", Integer.class, Item::place)
                .with("events", Long.class, item -> item.needsBody() ? item.todo.eventId() : null)
                .with("sizes", Integer.class, Item::ownSize)
                .with("budgets", Integer.class, Item::budget)
                .parameters();
        Map<Spot, Body> bodies = new HashMap<>();
        try {
            for (Map<String, Object> row : statements.maps(Desk.PAYLOADS, parameters)) {
                bodies.put(
                        new Spot((Integer) row.get("answer"), (Integer) row.get("place")),
                        new Body((String) row.get("content_type"), (byte[]) row.get("payload")));
            }
        } catch (Exception e) {
            // the todos are claimed: better without their payloads, which their events still hold, than not at all
            LOG.warn(
                    "claimed todos are handed over without their payloads todos={} error={}",
                    items.size(),
                    Fault.rootMessage(e));
        }
        return bodies;
    }
}
