package http;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that run routes. New requests have a bounded number of places to wait in; what finishes a request that was
 * let in before always gets a place, so no answer is lost because others are waiting.
 */
final class Workers implements Executor {
    private final ThreadPoolExecutor pool;
    private final int places;
    private final AtomicInteger waiting = new AtomicInteger();

    Workers(int threads, int places) {
        this.pool = new ThreadPoolExecutor(
                threads, threads, 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new NamedThreads());
        this.places = places;
    }

    /** Takes a new request; false when as many wait as may. Never runs it on the calling thread. */
    boolean offer(Runnable request) {
        if (waiting.incrementAndGet() > places) {
            waiting.decrementAndGet();
            return false;
        }
        try {
            pool.execute(() -> {
                waiting.decrementAndGet();
                request.run();
            });
            return true;
        } catch (RejectedExecutionException stopped) {
            waiting.decrementAndGet();
            return false;
        }
    }

    /** Runs what finishes a request; on the calling thread once the workers have stopped. */
    @Override
    public void execute(Runnable completion) {
        try {
            pool.execute(completion);
        } catch (RejectedExecutionException stopped) {
            completion.run();
        }
    }

    void stop() {
        pool.shutdown();
    }

    private static final class NamedThreads implements ThreadFactory {
        private final AtomicInteger number = new AtomicInteger();

        @Override
        public Thread newThread(Runnable work) {
            Thread thread = new Thread(work, "http-worker-" + number.incrementAndGet());
            thread.setDaemon(true); // a start that failed half-way must not keep the process alive
            return thread;
        }
    }
}
