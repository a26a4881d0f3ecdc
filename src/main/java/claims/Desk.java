package claims;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import model.Refusal;
import org.apache.camel.CamelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import pace.LogPace;

/**
 * Where agents claim todos. Claiming and waiting are one thing: every claim stands in line, and one statement serves all
 * who stand in a line. Promises: no wake is lost, a todo has at most one live owner, and what was claimed for somebody who
 * is gone is given back. Nothing here blocks its caller.
 */
public final class Desk implements Wakeups.Listener {
    /** Claims todos of one queue for many callers. */
    public static final String CLAIM = "direct:claim-todos";
    /** Lists the queues of an account that have work. */
    public static final String QUEUES_WITH_WORK = "direct:queues-with-work";
    /** Tells which of some credentials still live. */
    public static final String LIVE_CREDENTIALS = "direct:live-credentials";
    /** Reads the bodies of the events behind claimed todos. */
    public static final String PAYLOADS = "direct:claimed-payloads";

    private static final Logger LOG = LoggerFactory.getLogger(Desk.class);
    private static final long TICK_MILLIS = 100;

    /**
     * @param lanes how many lines are served at the same time
     * @param parked how many claims may wait
     * @param parkedOfAnAccount how many of them for one account
     */
    public record Size(int lanes, int parked, int parkedOfAnAccount) {
        public static final Size DEFAULT = new Size(3, 10_000, 5_000);
    }

    /**
     * How it goes, for health and metrics.
     *
     * @param parked claims that wait
     * @param statements statements that claimed, since the start
     * @param claimed todos that they claimed
     * @param givenBack todos that nobody took
     */
    public record Numbers(int parked, long statements, long claimed, long givenBack) {}

    private final Statements statements;
    private final Payloads payloads;
    private final Wakeups wakeups;
    private final Sweeps sweeps;
    private final Attempts attempts;
    private final ExecutorService threads;
    private final Executor answers;
    private final IntSupplier repollSeconds;
    private final Size size;
    private final Lines lines;
    private final List<Thread> lanes = new ArrayList<>();
    private final ScheduledThreadPoolExecutor clock;
    private final AtomicBoolean accessLooks = new AtomicBoolean();
    private final LongAdder claimStatements = new LongAdder();
    private final LongAdder claimed = new LongAdder();
    private final LongAdder givenBack = new LongAdder();
    private final LogPace faults = new LogPace();

    /**
     * @param attempts gives back what nobody took
     * @param threads runs statements that no lane waits for
     * @param answers where callers go on; never a thread that runs statements
     * @param repollSeconds after how long a waiting claim looks again although nothing woke it; asked often
     */
    public Desk(
            CamelContext context,
            Wakeups wakeups,
            Sweeps sweeps,
            Attempts attempts,
            ExecutorService threads,
            Executor answers,
            IntSupplier repollSeconds,
            Size size) {
        this.statements = new Statements(context);
        this.payloads = new Payloads(statements);
        this.wakeups = wakeups;
        this.sweeps = sweeps;
        this.attempts = attempts;
        this.threads = threads;
        this.answers = answers;
        this.repollSeconds = repollSeconds;
        this.size = size;
        this.lines = new Lines(size.parked(), size.parkedOfAnAccount());
        this.clock = new ScheduledThreadPoolExecutor(1, work -> daemon(work, "desk-clock"));
        clock.setRemoveOnCancelPolicy(true);
    }

    /** Opens the lanes. The routes of its statements must run. */
    public void start() {
        wakeups.subscribe(this);
        readRepoll();
        for (int i = 1; i <= size.lanes(); i++) {
            Thread lane = daemon(this::serveLines, "desk-lane-" + i);
            lanes.add(lane);
            lane.start();
        }
        clock.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        readRepoll();
        lines.lookAgain();
    }

    private void readRepoll() {
        lines.repollEvery(Duration.ofSeconds(repollSeconds.getAsInt()).toNanos());
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Takes a claim in.
     *
     * @throws Refusal {@code stopping}, {@code overloaded} or {@code rate_limited}
     */
    public ParkedClaim claim(ClaimAsk ask) {
        Waiter waiter = new Waiter(ask);
        ParkedClaim parked = new ParkedClaim(this, waiter);
        lines.park(waiter);
        if (!ask.patience().isZero()) {
            setAlarm(parked, waiter);
        }
        return parked;
    }

    private void setAlarm(ParkedClaim parked, Waiter waiter) {
        try {
            waiter.alarm = clock.schedule(parked::endWait, waiter.ask.patience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopping) {
            // all waits were ended already
            return;
        }
        if (waiter.answer.isDone()) {
            waiter.alarm.cancel(false);
        }
    }

    /** Gives back what was answered but could not be handed over. */
    public void giveBack(long account, List<ClaimedTodo> undelivered) {
        givenBack.add(undelivered.size());
        attempts.giveBack(account, undelivered);
    }

    void endWait(Waiter waiter) {
        if (lines.endWait(waiter)) {
            answerFromElsewhere(List.of(waiter));
        }
    }

    void abandon(Waiter waiter) {
        if (lines.abandon(waiter)) {
            answerFromElsewhere(List.of(waiter));
        }
    }

    /**
     * Access changed, or may have: ends the waits of those whose credential ended, with {@code unauthorized}. Does not wait
     * for the look itself; looks that are asked for while one waits to begin are one.
     */
    public void accessChanged() {
        if (!accessLooks.compareAndSet(false, true)) {
            return;
        }
        try {
            threads.execute(this::lookAtAccess);
        } catch (RejectedExecutionException stopping) {
            // all waits were ended already
        }
    }

    private void lookAtAccess() {
        // before the look: a change from here on asks for another one
        accessLooks.set(false);
        Set<Long> borne = lines.credentials();
        if (borne.isEmpty()) {
            return;
        }
        try {
            Set<Long> ended = new HashSet<>(borne);
            statements
                    .maps(LIVE_CREDENTIALS, Map.of("credentials", borne.toArray(Long[]::new)))
                    .forEach(row -> ended.remove((Long) row.get("id")));
            lines.refuse(ended, Refusal.unauthorized()).forEach(waiter -> answerFromElsewhere(List.of(waiter)));
        } catch (Exception e) {
            // who waits gets nothing that its credential does not reach, and its wait ends by itself
            logFault(e);
        }
    }

    @Override
    public void ring(long account, String queue) {
        lines.ring(account, queue);
    }

    @Override
    public void ringAll() {
        lines.ringAll();
    }

    // --- the lanes

    private void serveLines() {
        try {
            for (Turn turn = lines.take(); turn != null; turn = lines.take()) {
                serve(turn);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Turn turn) {
        Refusal fault = null;
        try {
            if (turn.line.queue == null) {
                claimFromAny(turn);
            } else {
                claimFrom(turn, turn.line.queue);
            }
            turn.filled = turn.unfilled().isEmpty();
            if (!turn.filled) {
                sweeps.runIfOverdue();
            }
        } catch (Exception | Error e) {
            fault = Fault.unavailable(e);
            logFault(e);
        }
        answer(lines.settle(turn, fault));
    }

    /** What is promising first; all queues that have work when that was not enough for somebody who is new. */
    private void claimFromAny(Turn turn) throws Exception {
        Deque<String> promising = turn.promising;
        Set<String> tried = new HashSet<>();
        boolean listed = false;
        while (!turn.unfilled().isEmpty()) {
            String queue = promising.poll();
            if (queue == null) {
                if (listed || !mustList(turn)) {
                    break;
                }
                listed = true;
                list(turn, tried);
            } else {
                tried.add(queue);
                boolean hasMore = claimFrom(turn, queue);
                if (hasMore) {
                    // one round for every queue before this one is looked at again
                    promising.add(queue);
                }
            }
        }
        if (turn.othersBehind && !turn.unfilled().isEmpty()) {
            // todos kept for a worker who stands behind
            promising.addAll(tried);
        }
    }

    private static boolean mustList(Turn turn) {
        return turn.listingIsOld || turn.unfilled().stream().anyMatch(waiter -> !waiter.lookedEverywhere());
    }

    private void list(Turn turn, Set<String> tried) throws Exception {
        statements.maps(QUEUES_WITH_WORK, Map.of("account", turn.line.account)).stream()
                .map(row -> (String) row.get("queue"))
                .filter(queue -> !tried.contains(queue))
                .forEach(turn.promising::add);
        lines.listed(turn.line);
    }

    /** One statement for everybody who still wants something. Returns whether it gave all that was wanted. */
    private boolean claimFrom(Turn turn, String queue) throws Exception {
        List<Waiter> slots = new ArrayList<>();
        for (Waiter waiter : turn.unfilled()) {
            for (int i = turn.wanted(waiter); i > 0; i--) {
                slots.add(waiter);
            }
        }
        Map<String, Object> parameters = new Columns<>(slots)
                .with("account", turn.line.account)
                .with("queue", queue)
                .with("owners", String.class, waiter -> waiter.ask.owner())
                .with("workers", String.class, waiter -> waiter.ask.worker())
                .with("assignees", String.class, waiter -> waiter.ask.assignee())
                .with("credentials", Long.class, waiter -> waiter.ask.credential())
                .with("leases", Integer.class, waiter -> waiter.ask.leaseSeconds())
                .parameters();
        TodoRows.Row[] bySlot = new TodoRows.Row[slots.size()];
        List<TodoRows.Row> rows = statements.todos(CLAIM, parameters);
        rows.forEach(row -> bySlot[row.n() - 1] = row);
        for (int slot = 0; slot < bySlot.length; slot++) {
            if (bySlot[slot] != null) {
                turn.give(slots.get(slot), new ClaimedTodo(bySlot[slot].todo(), null, null));
            }
        }
        claimStatements.increment();
        claimed.add(rows.size());
        return rows.size() == slots.size();
    }

    private void logFault(Throwable fault) {
        faults.log(suppressed -> LOG.warn(
                "claims cannot be served now, who waits is looked for again in a second error={}",
                Fault.rootMessage(fault)));
    }

    // --- the answers

    /** For threads that must not wait for a statement. */
    private void answerFromElsewhere(List<Waiter> through) {
        if (through.stream().allMatch(waiter -> waiter.got.isEmpty())) {
            answer(through);
        } else {
            threads.execute(() -> answer(through));
        }
    }

    /** All of one account. */
    private void answer(List<Waiter> through) {
        List<Waiter> served = new ArrayList<>();
        for (Waiter waiter : through) {
            if (waiter.alarm != null) {
                waiter.alarm.cancel(false);
            }
            if (waiter.gone) {
                giveBack(waiter.ask.account(), waiter.got);
                hand(waiter, () -> waiter.answer.complete(List.of()));
            } else if (waiter.refused != null) {
                giveBack(waiter.ask.account(), waiter.got);
                hand(waiter, () -> waiter.answer.completeExceptionally(waiter.refused));
            } else if (waiter.got.isEmpty() && waiter.fault != null) {
                hand(waiter, () -> waiter.answer.completeExceptionally(waiter.fault));
            } else if (waiter.got.isEmpty()) {
                hand(waiter, () -> waiter.answer.complete(List.of()));
            } else {
                served.add(waiter);
            }
        }
        if (!served.isEmpty()) {
            List<List<ClaimedTodo>> filled = payloads.fill(served.get(0).ask.account(), served);
            for (int i = 0; i < served.size(); i++) {
                Waiter waiter = served.get(i);
                List<ClaimedTodo> todos = filled.get(i);
                hand(waiter, () -> waiter.answer.complete(todos));
            }
        }
    }

    private void hand(Waiter waiter, Runnable answer) {
        try {
            answers.execute(answer);
        } catch (RejectedExecutionException stopping) {
            giveBack(waiter.ask.account(), waiter.got);
            waiter.answer.completeExceptionally(
                    new Refusal(Refusal.Code.STOPPING, "the hub is stopping; claim again in a moment (stopping)"));
        }
    }

    // --- the end

    /** Ends all waits with what there is and takes nobody in any more; the lanes finish what they hold. */
    public void endWaits() {
        lines.endWaits().stream()
                .collect(Collectors.groupingBy(waiter -> waiter.ask.account()))
                .values()
                .forEach(this::answerFromElsewhere);
    }

    /**
     * Ends all waits, lets the lanes finish, and closes. What they claim until then is answered, or given back when there is
     * nobody to answer; {@link Attempts} must still be open for that.
     *
     * @return whether all was finished within the grace
     */
    public boolean stop(Duration grace) throws InterruptedException {
        endWaits();
        wakeups.unsubscribe(this);
        lines.close();
        clock.shutdownNow();
        long until = System.nanoTime() + grace.toNanos();
        boolean through = true;
        for (Thread lane : lanes) {
            lane.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())));
            through &= !lane.isAlive();
        }
        return through;
    }

    public Numbers numbers() {
        return new Numbers(lines.parked(), claimStatements.sum(), claimed.sum(), givenBack.sum());
    }
}
