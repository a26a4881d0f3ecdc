package promises;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A step of an integrator's route that takes as long as a test wants. */
public final class SlowStep {
    private static final CountDownLatch GO_ON = new CountDownLatch(1);
    private static final AtomicInteger WAITING = new AtomicInteger();
    private static final AtomicInteger FINISHED = new AtomicInteger();

    /** Called by the route. */
    public static void await() throws InterruptedException {
        WAITING.incrementAndGet();
        GO_ON.await();
        WAITING.decrementAndGet();
        FINISHED.incrementAndGet();
    }

    static void goOn() {
        GO_ON.countDown();
    }

    static int waiting() {
        return WAITING.get();
    }

    static int finished() {
        return FINISHED.get();
    }

    private SlowStep() {}
}
