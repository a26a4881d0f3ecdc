package claims;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One lane's service of one line: who is served, and what each got. Used by the lane that took it, and nobody else. */
final class Turn {
    final Line line;
    final List<Waiter> waiters;

    /** Somebody behind the last one in {@link #waiters} could not be served in the same turn. */
    final boolean othersBehind;

    /** Of an account's line: the queues worth a look. */
    final Deque<String> promising;

    final boolean listingIsOld;

    private final Map<Waiter, List<ClaimedTodo>> got = new HashMap<>();

    /** Everybody got all that was wanted, so there may be more. */
    boolean filled;

    Turn(Line line, List<Waiter> waiters, boolean othersBehind, boolean listingIsOld) {
        this.line = line;
        this.waiters = waiters;
        this.othersBehind = othersBehind;
        this.promising = line.queue == null ? line.takePromising() : new ArrayDeque<>();
        this.listingIsOld = listingIsOld;
    }

    void give(Waiter waiter, ClaimedTodo todo) {
        got.computeIfAbsent(waiter, w -> new ArrayList<>()).add(todo);
    }

    List<ClaimedTodo> got(Waiter waiter) {
        return got.getOrDefault(waiter, List.of());
    }

    /** How many more todos a waiter wants. */
    int wanted(Waiter waiter) {
        return waiter.wanted() - got(waiter).size();
    }

    List<Waiter> unfilled() {
        return waiters.stream().filter(w -> wanted(w) > 0).toList();
    }

    long lastPlace() {
        return waiters.stream().map(w -> w.place).max(Comparator.naturalOrder()).orElse(0L);
    }
}
