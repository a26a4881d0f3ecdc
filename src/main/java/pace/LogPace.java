package pace;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** At most one line a second from what a stranger can repeat at will; the next line says how many were left out. */
public final class LogPace {
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    private long next = System.nanoTime();
    private long suppressed;

    /** Lets {@code line} write, with the number of those before it that were not. */
    public void log(LongConsumer line) {
        long left;
        synchronized (this) {
            if (next - System.nanoTime() > 0) {
                suppressed++;
                return;
            }
            next = System.nanoTime() + PAUSE;
            left = suppressed;
            suppressed = 0;
        }
        line.accept(left);
    }
}
