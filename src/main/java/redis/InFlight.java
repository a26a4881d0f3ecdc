package redis;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What was read and is not acknowledged yet, by id: bounded by number and by bytes, and no id twice. */
final class InFlight {
    private final int mostEntries;
    private final long mostBytes;
    private final Map<String, Integer> entries = new HashMap<>();
    private long bytes;

    InFlight(int mostEntries, long mostBytes) {
        this.mostEntries = mostEntries;
        this.mostBytes = mostBytes;
    }

    /** False when it is there already: it was read a second time. */
    synchronized boolean add(Entry entry) {
        if (entries.putIfAbsent(entry.id(), entry.bytes()) != null) {
            return false;
        }
        bytes += entry.bytes();
        return true;
    }

    synchronized void remove(Collection<String> ids) {
        for (String id : ids) {
            Integer held = entries.remove(id);
            bytes -= held == null ? 0 : held;
        }
        notifyAll();
    }

    /** Waits until so many more may be read; false when that takes too long. */
    synchronized boolean awaitRoom(int more, long millis) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (entries.size() + more > mostEntries || bytes >= mostBytes) {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    synchronized int size() {
        return entries.size();
    }
}
