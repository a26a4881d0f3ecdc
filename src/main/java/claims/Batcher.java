package claims;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import model.Refusal;

/**
 * Callers who ask for the same kind of thing at the same time share one statement. Nobody lingers: a statement starts as
 * soon as one of its two places is free and takes whoever waits then, so the batches grow with the load.
 *
 * @param <A> what one caller asks
 * @param <R> what the statement says to it
 */
final class Batcher<A, R> {
    private static final int MOST_AT_ONCE = 256;
    private static final int IN_FLIGHT = 2;
    private static final int MOST_WAITING = 10_000;

    /** The statement: its answers in the order of the items. Fails as a whole. */
    interface Statement<A, R> {
        List<R> run(List<A> items) throws Exception;
    }

    private record Waiting<A, R>(A item, CompletableFuture<R> answer) {}

    private final String name;
    private final Statement<A, R> statement;
    private final Executor threads;
    private final Executor answers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition quiet = lock.newCondition();
    private final Deque<Waiting<A, R>> waiting = new ArrayDeque<>();
    private int inFlight;
    private boolean closed;

    /**
     * @param name the verb, for messages
     * @param threads where the statement runs
     * @param answers where callers go on; never a thread that runs statements
     */
    Batcher(String name, Statement<A, R> statement, Executor threads, Executor answers) {
        this.name = name;
        this.statement = statement;
        this.threads = threads;
        this.answers = answers;
    }

    /** Joins the next statement. */
    CompletableFuture<R> ask(A item) {
        Waiting<A, R> asked = new Waiting<>(item, new CompletableFuture<>());
        lock.lock();
        try {
            if (closed) {
                return CompletableFuture.failedFuture(
                        new Refusal(Refusal.Code.STOPPING, "the hub is stopping; ask again in a moment (stopping)"));
            }
            if (waiting.size() >= MOST_WAITING) {
                return CompletableFuture.failedFuture(new Refusal(
                        Refusal.Code.OVERLOADED, MOST_WAITING + " calls wait to " + name + "; try again (overloaded)"));
            }
            waiting.add(asked);
            if (inFlight < IN_FLIGHT) {
                inFlight++;
                threads.execute(this::work);
            }
        } finally {
            lock.unlock();
        }
        return asked.answer;
    }

    private void work() {
        for (List<Waiting<A, R>> batch = next(); !batch.isEmpty(); batch = next()) {
            run(batch, true);
        }
    }

    /** Who waits now; with nobody there the place is given up. */
    private List<Waiting<A, R>> next() {
        lock.lock();
        try {
            List<Waiting<A, R>> batch = new ArrayList<>(Math.min(waiting.size(), MOST_AT_ONCE));
            while (batch.size() < MOST_AT_ONCE && !waiting.isEmpty()) {
                batch.add(waiting.poll());
            }
            if (batch.isEmpty()) {
                inFlight--;
                quiet.signalAll();
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void run(List<Waiting<A, R>> batch, boolean mayRepeat) {
        List<R> said;
        try {
            said = statement.run(batch.stream().map(Waiting::item).toList());
        } catch (Exception | Error e) {
            // an Error, too, must leave nobody waiting and the place free
            blame(batch, e, mayRepeat);
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            CompletableFuture<R> answer = batch.get(i).answer;
            R word = said.get(i);
            hand(() -> answer.complete(word));
        }
    }

    private void blame(List<Waiting<A, R>> batch, Throwable thrown, boolean mayRepeat) {
        Fault fault = Fault.of(thrown);
        if (fault == Fault.AGAIN && mayRepeat) {
            run(batch, false);
        } else if (fault == Fault.DATA && batch.size() > 1) {
            int half = batch.size() / 2;
            run(batch.subList(0, half), mayRepeat);
            run(batch.subList(half, batch.size()), mayRepeat);
        } else {
            Refusal refusal = fault == Fault.DATA
                    ? new Refusal(
                            Refusal.Code.INVALID_REQUEST,
                            name + ": the database refuses a value of this request",
                            thrown)
                    : Fault.unavailable(thrown);
            batch.forEach(asked -> hand(() -> asked.answer.completeExceptionally(refusal)));
        }
    }

    private void hand(Runnable answer) {
        try {
            answers.execute(answer);
        } catch (RejectedExecutionException stopping) {
            // what was committed is said, if need be from here
            answer.run();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Takes nobody in any more and waits for those who are in. Returns whether they are through. */
    boolean drain(long nanos) throws InterruptedException {
        lock.lock();
        try {
            closed = true;
            long left = nanos;
            while (inFlight > 0 && left > 0) {
                left = quiet.awaitNanos(left);
            }
            return inFlight == 0;
        } finally {
            lock.unlock();
        }
    }
}
