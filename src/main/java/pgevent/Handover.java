package pgevent;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where notifications wait between the thread that reads them and the one that runs the route. Putting never waits: a
 * reader that waits for a slow route would fill the server's notification queue for everybody.
 *
 * <p>One that says the same as one that still waits is dropped, except on uncoalesced channels, whose notifications all
 * stand in the order they came. When it is full everything that waits makes room for one wake that says so.
 */
final class Handover {
    private final int capacity;
    private final Set<String> uncoalesced;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Notification> waiting = new ArrayDeque<>();
    private final Set<Notification> coalescing = new HashSet<>();
    private boolean closed;

    Handover(int capacity, Set<String> uncoalesced) {
        this.capacity = capacity;
        this.uncoalesced = uncoalesced;
    }

    void put(Notification notification) {
        lock.lock();
        try {
            boolean repeats = !uncoalesced.contains(notification.channel()) && coalescing.contains(notification);
            if (!repeats) {
                enqueue(notification);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next one, as soon as there is one; null once this is closed. It no longer waits when it is returned, so the same
     * notification arriving while the route works on it is handed over again.
     */
    Notification take() {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                // a route may leave its thread interrupted; only close() ends the hand-over
                changed.awaitUninterruptibly();
            }
            if (closed) {
                return null;
            }
            Notification next = waiting.remove();
            coalescing.remove(next);
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** How many wait now. */
    int size() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Drops what waits, for good: whoever listens next is woken anyway. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void enqueue(Notification notification) {
        Notification next = notification;
        if (waiting.size() >= capacity) {
            waiting.clear();
            coalescing.clear();
            next = Notification.wake(Notifications.OVERFLOW);
        }
        waiting.add(next);
        if (!uncoalesced.contains(next.channel())) {
            coalescing.add(next);
        }
    }
}
