package claims;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import model.Refusal;

/**
 * Who waits for what, and which lines want service. Promise: no wake is lost. A claim joins its lines first and marks
 * them afterwards; a ring marks a line also while it is served; a waiter that a lane holds is remembered by every line
 * that came to it meanwhile. One lock, held for a few map operations and never during SQL.
 */
final class Lines {
    /** Rows that one statement claims at most. */
    static final int ROWS = 500;

    /** Payload that the answers of one turn may hold together at most. */
    static final long BYTES = 64L << 20;

    /** Queues that an account's line keeps in mind; beyond it lists them anew. */
    private static final int PROMISING = 1_000;

    private record Key(long account, String queue) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Map<Key, Line> lines = new HashMap<>();

    /** Lines that want service, in the order in which they asked for it. */
    private final Set<Line> waiting = new LinkedHashSet<>();

    private final Map<Long, Integer> parkedOf = new HashMap<>();
    private final int most;
    private final int mostOfAnAccount;
    private int parked;
    private long places;
    private long repollNanos = TimeUnit.SECONDS.toNanos(5);
    private boolean open = true;
    private boolean closed;

    /**
     * @param most how many claims may wait
     * @param mostOfAnAccount how many claims of one account may wait
     */
    Lines(int most, int mostOfAnAccount) {
        this.most = most;
        this.mostOfAnAccount = mostOfAnAccount;
    }

    /** Puts a claim into its lines, then asks for their service: in that order no wake can be lost. */
    void park(Waiter waiter) {
        lock.lock();
        try {
            admit(waiter.ask.account());
            waiter.place = ++places;
            for (Line line : linesOf(waiter)) {
                if (line.waiters.isEmpty()) {
                    scheduleLook(line);
                }
                line.waiters.put(waiter.place, waiter);
            }
            markNext(waiter);
        } finally {
            lock.unlock();
        }
    }

    private void admit(long account) {
        if (!open) {
            throw new Refusal(Refusal.Code.STOPPING, "the hub is stopping; claim again in a moment (stopping)");
        }
        if (parked >= most) {
            throw new Refusal(
                    Refusal.Code.OVERLOADED, most + " claims are waiting already; claim again later (overloaded)");
        }
        if (parkedOf.getOrDefault(account, 0) >= mostOfAnAccount) {
            throw new Refusal(
                    Refusal.Code.RATE_LIMITED,
                    mostOfAnAccount + " claims of this account are waiting already; end some first (rate_limited)");
        }
        parked++;
        parkedOf.merge(account, 1, Integer::sum);
    }

    /** A queue has got something, or may have. */
    void ring(long account, String queue) {
        lock.lock();
        try {
            mark(lines.get(new Key(account, queue)));
            Line all = lines.get(new Key(account, null));
            if (all != null) {
                promise(all, queue);
                mark(all);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Wakes may have been missed: everybody is looked at again. */
    void ringAll() {
        lock.lock();
        try {
            for (Line line : lines.values()) {
                line.listedOnce = false;
                mark(line);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Marks the lines whose re-poll is due. */
    void lookAgain() {
        lock.lock();
        try {
            long now = System.nanoTime();
            for (Line line : lines.values()) {
                if (!line.waiters.isEmpty() && line.nextLook - now <= 0) {
                    line.listedOnce = false;
                    scheduleLook(line);
                    mark(line);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    void repollEvery(long nanos) {
        lock.lock();
        try {
            boolean sooner = nanos < repollNanos;
            repollNanos = nanos;
            if (!sooner) {
                return;
            }
            for (Line line : lines.values()) {
                // a shorter period must not wait for the longer one to end
                scheduleLook(line);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The next line that wants service, and those of it who can be served now; null once closed and all is settled. */
    Turn take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                while (!waiting.isEmpty()) {
                    Line line = waiting.iterator().next();
                    waiting.remove(line);
                    Turn turn = begin(line);
                    if (turn != null) {
                        return turn;
                    }
                }
                if (closed) {
                    return null;
                }
                work.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private Turn begin(Line line) {
        List<Waiter> served = new ArrayList<>();
        boolean othersBehind = false;
        long rows = 0;
        long bytes = 0;
        Collection<Waiter> fromHere =
                line.waiters.tailMap(line.roundReached, false).values();
        if (line.roundReached == 0) {
            line.dirty = false;
        }
        for (Waiter waiter : fromHere) {
            if (waiter.taken) {
                waiter.missed.add(line);
                continue;
            }
            if (!served.isEmpty() && (rows + waiter.wanted() > ROWS || bytes + waiter.ask.maxBytes() > BYTES)) {
                othersBehind = true;
                break;
            }
            waiter.taken = true;
            served.add(waiter);
            rows += waiter.wanted();
            bytes += waiter.ask.maxBytes();
        }
        if (served.isEmpty()) {
            endRound(line);
            return null;
        }
        line.busy = true;
        boolean listingIsOld = !line.listedOnce || System.nanoTime() - line.listed > repollNanos;
        return new Turn(line, served, othersBehind, listingIsOld);
    }

    /** An account's queues were all listed for this turn. */
    void listed(Line line) {
        lock.lock();
        try {
            line.listed = System.nanoTime();
            line.listedOnce = true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a turn: everybody who was served is answered or goes on waiting in place.
     *
     * @param fault why the turn failed; null when it did not
     * @return those who are through, to be answered without the lock
     */
    List<Waiter> settle(Turn turn, Refusal fault) {
        lock.lock();
        try {
            Line line = turn.line;
            line.busy = false;
            turn.promising.forEach(queue -> promise(line, queue));
            List<Waiter> through = new ArrayList<>();
            for (Waiter waiter : turn.waiters) {
                waiter.taken = false;
                waiter.got.addAll(turn.got(waiter));
                waiter.fault = fault;
                if (Objects.equals(line.queue, waiter.next())) {
                    waiter.looked++;
                }
                if (isThrough(waiter)) {
                    leave(waiter);
                    through.add(waiter);
                } else {
                    markNext(waiter);
                    waiter.missed.forEach(this::mark);
                }
                waiter.missed.clear();
            }
            if (fault != null) {
                // neither give up nor spin: whoever waits is looked for again in a second
                endRound(line);
                line.nextLook = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            } else if (turn.filled) {
                // there may be more, and the front is new
                line.roundReached = 0;
                line.dirty |= turn.othersBehind;
            } else if (turn.othersBehind) {
                line.roundReached = turn.lastPlace();
            } else {
                endRound(line);
            }
            want(line);
            forgetIfIdle(line);
            work.signalAll();
            return through;
        } finally {
            lock.unlock();
        }
    }

    private static boolean isThrough(Waiter waiter) {
        if (waiter.gone || waiter.refused != null || waiter.wanted() <= 0) {
            return true;
        }
        boolean hasSome = !waiter.got.isEmpty();
        if (waiter.fault != null) {
            return hasSome || waiter.hasWaited;
        }
        return waiter.lookedEverywhere() && (hasSome || waiter.hasWaited);
    }

    /**
     * The wait is over.
     *
     * @return whether the waiter is through; else the lane that holds it will settle it
     */
    boolean endWait(Waiter waiter) {
        lock.lock();
        try {
            waiter.hasWaited = true;
            return leaveUnlessTaken(waiter);
        } finally {
            lock.unlock();
        }
    }

    /** Nobody is there any more who could take the answer. Returns as {@link #endWait}. */
    boolean abandon(Waiter waiter) {
        lock.lock();
        try {
            waiter.gone = true;
            return leaveUnlessTaken(waiter);
        } finally {
            lock.unlock();
        }
    }

    /** What those who wait bear, each once. */
    Set<Long> credentials() {
        lock.lock();
        try {
            Set<Long> borne = new HashSet<>();
            lines.values()
                    .forEach(line -> line.waiters.values().forEach(waiter -> {
                        if (waiter.ask.credential() != null) {
                            borne.add(waiter.ask.credential());
                        }
                    }));
            return borne;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the waits of those who bear one of these. Returns those who are through. */
    List<Waiter> refuse(Set<Long> ended, Refusal why) {
        lock.lock();
        try {
            Set<Waiter> all = new LinkedHashSet<>();
            lines.values()
                    .forEach(line -> line.waiters.values().stream()
                            .filter(waiter -> ended.contains(waiter.ask.credential()))
                            .forEach(all::add));
            all.forEach(waiter -> waiter.refused = why);
            return all.stream().filter(this::leaveUnlessTaken).toList();
        } finally {
            lock.unlock();
        }
    }

    private boolean leaveUnlessTaken(Waiter waiter) {
        if (waiter.settled || waiter.taken) {
            return false;
        }
        leave(waiter);
        return true;
    }

    /** Lets nobody join any more and ends all waits. Returns those who are through. */
    List<Waiter> endWaits() {
        lock.lock();
        try {
            open = false;
            Set<Waiter> all = new LinkedHashSet<>();
            lines.values().forEach(line -> all.addAll(line.waiters.values()));
            all.forEach(waiter -> waiter.hasWaited = true);
            return all.stream().filter(this::leaveUnlessTaken).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Lanes go home once nothing is left to do. */
    void close() {
        lock.lock();
        try {
            closed = true;
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }

    int parked() {
        lock.lock();
        try {
            return parked;
        } finally {
            lock.unlock();
        }
    }

    private List<Line> linesOf(Waiter waiter) {
        long account = waiter.ask.account();
        return waiter.ask.queues().isEmpty()
                ? List.of(lineOf(account, null))
                : waiter.ask.queues().stream()
                        .map(queue -> lineOf(account, queue))
                        .toList();
    }

    private Line lineOf(long account, String queue) {
        return lines.computeIfAbsent(new Key(account, queue), key -> new Line(account, queue));
    }

    private void leave(Waiter waiter) {
        waiter.settled = true;
        parked--;
        parkedOf.computeIfPresent(waiter.ask.account(), (account, n) -> n == 1 ? null : n - 1);
        for (Line line : linesOf(waiter)) {
            line.waiters.remove(waiter.place);
            forgetIfIdle(line);
        }
    }

    /** An account's line stays: it knows which queue comes next, so that one who claims again and again sees them all. */
    private void forgetIfIdle(Line line) {
        if (line.idle() && line.queue != null) {
            lines.remove(new Key(line.account, line.queue), line);
            waiting.remove(line);
        }
    }

    private void markNext(Waiter waiter) {
        if (!waiter.lookedEverywhere()) {
            mark(lineOf(waiter.ask.account(), waiter.next()));
        }
    }

    private void mark(Line line) {
        if (line != null && !line.waiters.isEmpty()) {
            line.dirty = true;
            want(line);
        }
    }

    private void want(Line line) {
        if (line.wantsService() && waiting.add(line)) {
            work.signal();
        }
    }

    private void endRound(Line line) {
        line.roundReached = 0;
        want(line);
    }

    private void promise(Line line, String queue) {
        if (line.promising.size() >= PROMISING) {
            line.promising.clear();
            line.listedOnce = false;
        }
        line.promising.add(queue);
    }

    private void scheduleLook(Line line) {
        // jittered, so that many lines and many hubs do not look at the same moment
        double part = 0.75 + 0.5 * ThreadLocalRandom.current().nextDouble();
        line.nextLook = System.nanoTime() + (long) (repollNanos * part);
    }
}
