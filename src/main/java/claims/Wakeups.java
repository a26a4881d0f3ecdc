package claims;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands wakes on to whoever waits on this node. A wake is a hint: equal ones that wait at the same time become one, and
 * too many become one that means everything. Ringing never blocks: it leaves the wake in a bounded room, which a thread of
 * its own empties.
 */
public final class Wakeups implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Wakeups.class);
    private static final int MOST = 1_024;

    /** Somebody who wants to know. Called on one thread, one call at a time; must not block. */
    public interface Listener {
        /** The queue got a todo, or may have. */
        void ring(long account, String queue);

        /** Wakes may have been missed: anything may have happened. */
        void ringAll();
    }

    private record Wake(long account, String queue) {}

    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Set<Wake> room = new LinkedHashSet<>();
    private final Thread thread = new Thread(this::handOn, "wakeups");
    private boolean everything;
    private boolean closed;

    public Wakeups() {
        thread.setDaemon(true);
        thread.start();
    }

    public void subscribe(Listener listener) {
        listeners.add(listener);
    }

    public void unsubscribe(Listener listener) {
        listeners.remove(listener);
    }

    /** A queue of an account got a todo. */
    public synchronized void ring(long account, String queue) {
        if (!everything && room.add(new Wake(account, queue)) && room.size() > MOST) {
            ringAll();
        }
        notifyAll();
    }

    /** Wakes may have been missed. */
    public synchronized void ringAll() {
        everything = true;
        room.clear();
        notifyAll();
    }

    private void handOn() {
        try {
            for (List<Wake> wakes = take(); wakes != null; wakes = take()) {
                for (Listener listener : listeners) {
                    hand(listener, wakes);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What waits in the room, at once; an empty list means everything, null that the room is closed. */
    private synchronized List<Wake> take() throws InterruptedException {
        while (room.isEmpty() && !everything && !closed) {
            wait();
        }
        if (closed) {
            return null;
        }
        List<Wake> wakes = List.copyOf(room);
        room.clear();
        everything = false;
        return wakes;
    }

    private static void hand(Listener listener, List<Wake> wakes) {
        try {
            if (wakes.isEmpty()) {
                listener.ringAll();
            } else {
                wakes.forEach(wake -> listener.ring(wake.account, wake.queue));
            }
        } catch (RuntimeException e) {
            LOG.error("a listener failed at a wake; it looks again at its next poll", e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
