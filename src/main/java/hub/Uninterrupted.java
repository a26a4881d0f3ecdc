package hub;

import java.util.concurrent.CompletableFuture;

/** For work that must be finished once begun: a stop that is interrupted would leave a server running. */
final class Uninterrupted {
    private Uninterrupted() {}

    /** Runs it on a thread that nobody interrupts, and waits; the caller stays as interrupted as it was. */
    static void run(Runnable work) {
        CompletableFuture.runAsync(work, task -> new Thread(task, "closing").start())
                .join();
    }
}
