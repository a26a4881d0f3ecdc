package redis;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import org.redisson.api.RFuture;

/** A blocking command that somebody else may end. */
final class Wait {
    private volatile Future<?> waiting;

    /** Waits for the answer; null when {@link #end} came first. */
    <T> T on(RFuture<T> answer) {
        waiting = answer;
        try {
            return answer.toCompletableFuture().join();
        } catch (CancellationException ended) {
            return null;
        } catch (CompletionException failure) {
            // as a call that blocks would have thrown it
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        } finally {
            waiting = null;
        }
    }

    /** Ends the wait, if there is one: Redisson gives the connection up, and Redis forgets who was blocked on it. */
    void end() {
        Future<?> now = waiting;
        if (now != null) {
            now.cancel(true);
        }
    }
}
