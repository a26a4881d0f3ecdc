package hub;

import access.Gate;
import adapters.PayloadView;
import claims.Attempts;
import claims.Desk;
import claims.Sweeps;
import claims.Todos;
import claims.Wakeups;
import http.HttpEngine;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.CamelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import pgevent.ListenConsumer;
import routes.AgentRoutes;
import routes.DeskRoutes;
import routes.EndedRoute;
import routes.Health;
import routes.PromoterRoute;
import routes.ReaperRoute;
import routes.Settings;
import routes.TodoRoutes;
import routes.WakeRoute;

/** Everything towards agents: the desk, the listener that wakes it, and the timers that keep todos moving. */
final class Agents implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Agents.class);
    private static final Duration GRACE = Duration.ofSeconds(10);
    /** Statements of verbs at a time, beside those of the desk's lanes. */
    private static final int STATEMENTS = 4;

    private final CamelContext context;
    private final Wakeups wakeups = new Wakeups();
    private final ExecutorService statements;
    private final Attempts attempts;
    private final Todos todos;
    private final Sweeps sweeps;
    private final Desk desk;

    private Agents(CamelContext context, Executor answers, Settings settings) {
        AtomicInteger number = new AtomicInteger();
        this.context = context;
        this.statements = Executors.newFixedThreadPool(
                STATEMENTS, task -> new Thread(task, "desk-statements-" + number.incrementAndGet()));
        this.attempts = new Attempts(context, statements, answers);
        this.todos = new Todos(context, statements, answers);
        // the desk sweeps itself when these timers seem dead, so it must see them run
        this.sweeps = new Sweeps(context, wakeups);
        this.desk = new Desk(
                context,
                wakeups,
                sweeps,
                attempts,
                statements,
                answers,
                () -> settings.get(Settings.Key.CLAIM_REPOLL_SECONDS),
                Desk.Size.DEFAULT);
    }

    static Agents start(
            CamelContext context,
            HttpEngine engine,
            Gate gate,
            Settings settings,
            Health health,
            Database database,
            PayloadView payloads)
            throws Exception {
        context.getRegistry().bind(WakeRoute.LISTENER, database.listener());
        context.addRoutes(new DeskRoutes());
        Agents agents = new Agents(context, engine.executor(), settings);
        agents.desk.start();
        context.addRoutes(new ReaperRoute(agents.sweeps, health));
        context.addRoutes(new PromoterRoute(agents.sweeps, health));
        Runnable accessChanged = () -> agents.hearOfAccess(gate);
        context.addRoutes(new EndedRoute(accessChanged, agents.sweeps));
        context.addRoutes(new WakeRoute(agents.wakeups, accessChanged));
        context.addRoutes(new AgentRoutes(gate, agents.desk, agents.attempts, agents.todos, payloads));
        context.addRoutes(new TodoRoutes(gate, agents.todos, payloads));
        gate.hearsWhile(agents.consumer()::isUp);
        health.watch("listener", agents::listener);
        health.watch(
                "claims",
                () -> new Health.Part(Health.Status.UP, agents.desk.numbers().parked() + " parked"));
        return agents;
    }

    /** In this order: who is looked at next is judged by the database, and not by what was remembered of it. */
    private void hearOfAccess(Gate gate) {
        gate.forget();
        desk.accessChanged();
    }

    private ListenConsumer consumer() {
        return (ListenConsumer) context.getRoute(WakeRoute.ID).getConsumer();
    }

    private Health.Part listener() {
        ListenConsumer consumer = consumer();
        if (consumer.isUp()) {
            return new Health.Part(Health.Status.UP, "listening");
        }
        return new Health.Part(
                Health.Status.DEGRADED,
                consumer.isDeaf()
                        ? "polling: LISTEN hears nothing here, set SWITCHBOARD_LISTENER_URL past the pooler"
                        : "polling: the listener has no connection");
    }

    /** Parked claims end with what there is, and nobody is parked any more. */
    void endWaits() {
        desk.endWaits();
    }

    /** What was said is done and answered; what was claimed for nobody is released. */
    @Override
    public void close() {
        try {
            boolean deskThrough = desk.stop(GRACE);
            boolean attemptsThrough = attempts.drain(GRACE);
            boolean todosThrough = todos.drain(GRACE);
            if (!deskThrough || !attemptsThrough || !todosThrough) {
                LOG.warn("not every call of an agent was through within {} s", GRACE.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        statements.shutdown();
        wakeups.close();
    }
}
