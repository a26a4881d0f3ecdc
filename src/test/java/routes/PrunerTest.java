package routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import adapters.AdapterRegistry;
import adapters.AdaptersFile;
import fixtures.TestDatabase;
import intake.Intake;
import intake.IntakeComponent;
import intake.IntakeEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import model.Receipt;
import net.Proxies;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.event.ExchangeSendingEvent;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.DefaultExchange;
import org.apache.camel.support.EventNotifierSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import routes.Pruner.Counts;

/** What retention deletes, what it keeps whatever its age, and that it is in nobody's way. */
class PrunerTest {
    private static final String ADAPTERS = """
            adapters:
              - name: orders
                type: route
            """;

    @AutoClose
    private static final TestDatabase database = TestDatabase.create();

    private static final Settings settings = new Settings();
    private static final LooksAtEvents looksAtEvents = new LooksAtEvents();
    private static CamelContext context;
    private static Intake intake;
    private static ProducerTemplate producer;
    private Pruner pruner;

    @BeforeAll
    static void start() throws Exception {
        context = new DefaultCamelContext();
        Storage.bind(context, database.pool());
        AdapterRegistry registry = new AdapterRegistry(
                AdaptersFile.parse("adapters.yaml", ADAPTERS, name -> null), Map.of("operator", 1L));
        intake = new Intake(context, registry, Runnable::run, 2, 64L << 20, 10_000);
        context.addComponent("intake", new IntakeComponent(intake, registry));
        context.addRoutes(new IntakeRoute());
        PrunerRoute routes = new PrunerRoute(new Pruner(context, settings), new Health(new FrontDoor(Proxies.NONE)));
        context.addRoutes(routes);
        // only the tests decide when
        routes.getRouteCollection().getRoutes().stream()
                .filter(route -> route.getInput().getEndpointUri().startsWith("timer:"))
                .forEach(route -> route.autoStartup(false));
        context.getManagementStrategy().addEventNotifier(looksAtEvents);
        context.start();
        producer = context.createProducerTemplate();
    }

    @AfterAll
    static void stop() {
        intake.close();
        context.stop();
    }

    @BeforeEach
    void fresh() {
        database.execute("TRUNCATE events, event_keys, todos, todo_attempts");
        for (Settings.Key key : Settings.Key.values()) {
            set(key, key.standard());
        }
        pruner = new Pruner(context, settings);
    }

    @Test
    void whatIsOlderThanTheAgeLimitGoesWithItsTodosAndTheirHistoryAndTheRestStays() {
        event(1, "31 days");
        event(2, "29 days");
        todo(1L, "done");
        todo(1L, "failed");
        todo(2L, "done");
        database.execute("INSERT INTO todo_attempts (todo_id, attempt, outcome) SELECT id, 1, 'completed' FROM todos");

        Counts pruned = pruner.prune();

        assertThat(pruned).isEqualTo(new Counts(1, 2, 1));
        assertThat(events()).containsExactly(2L);
        assertThat(database.count("SELECT count(*) FROM todos WHERE event_id = 2"))
                .isEqualTo(1);
        assertThat(database.count("SELECT count(*) FROM todos")).isEqualTo(1);
        assertThat(database.count("SELECT count(*) FROM todo_attempts")).isEqualTo(1);
    }

    @Test
    void anAgeLimitThatIsChangedHoldsAtTheNextRun() {
        event(1, "10 days");
        assertThat(pruner.prune()).isEqualTo(new Counts(0, 0, 0));

        set(Settings.Key.RETENTION_MAX_AGE_DAYS, 5);

        assertThat(pruner.prune()).isEqualTo(new Counts(1, 0, 0));
    }

    @Test
    void anEventStaysWholeWhileATodoOfItIsPendingOrClaimed() {
        event(1, "40 days");
        event(2, "40 days");
        todo(1L, "pending");
        todo(1L, "done");
        todo(2L, "claimed");
        todo(2L, "failed");

        Counts pruned = pruner.pruneFromTheStart();

        assertThat(pruned).isEqualTo(new Counts(0, 0, 0));
        assertThat(events()).containsExactly(1L, 2L);
        assertThat(database.count("SELECT count(*) FROM todos")).isEqualTo(4);
    }

    @Test
    void whatALiveTodoKeepsIsNotLookedAtEachSecondAndGoesAfterTheTodoFinished() {
        event(1, "40 days");
        todo(1L, "claimed");
        pruner.prune();
        int before = looksAtEvents.count();

        pruner.prune();
        assertThat(looksAtEvents.count()).isEqualTo(before);

        finish("event_id = 1");
        assertThat(pruner.pruneFromTheStart()).isEqualTo(new Counts(1, 1, 1));
        assertThat(looksAtEvents.count()).isGreaterThan(before);
    }

    @Test
    void todosWithoutAnEventGoByTheTimeTheyFinished() {
        database.execute("""
                INSERT INTO todos (id, account_id, queue, source, state, created_at, completed_at)
                VALUES (gen_random_uuid(), 1, 'old', 'api', 'done', now() - interval '90 days', now() - interval '31 days'),
                  (gen_random_uuid(), 1, 'late', 'api', 'failed', now() - interval '90 days', now() - interval '29 days'),
                  (gen_random_uuid(), 1, 'open', 'api', 'pending', now() - interval '90 days', NULL)
                """);
        database.execute("INSERT INTO todo_attempts (todo_id, attempt, outcome) SELECT id, 1, 'completed' FROM todos");

        assertThat(pruner.prune()).isEqualTo(new Counts(0, 1, 0));
        assertThat(database.query("SELECT queue FROM todos ORDER BY queue"))
                .extracting(row -> row.get("queue"))
                .containsExactly("late", "open");
        assertThat(database.count("SELECT count(*) FROM todo_attempts")).isEqualTo(2);
    }

    @Test
    void theCapKeepsTheNewestAlsoOfRowsThatCameInOneTransaction() {
        set(Settings.Key.RETENTION_MAX_ROWS, 10);
        database.execute("""
                INSERT INTO events (account_id, id, source, family, trust_mode, verified, payload, payload_size)
                SELECT 1, g, 'queue', 'queue', 'queue', false, '', 0 FROM generate_series(1, 25) g
                """);
        database.execute("""
                INSERT INTO todos (id, account_id, queue, source, state, completed_at)
                SELECT gen_random_uuid(), 1, 'q', 'api', 'done', now() FROM generate_series(1, 25) g
                """);

        Counts pruned = pruner.pruneFromTheStart();

        assertThat(pruned).isEqualTo(new Counts(15, 15, 0));
        assertThat(events()).containsExactly(16L, 17L, 18L, 19L, 20L, 21L, 22L, 23L, 24L, 25L);
        assertThat(pruner.pruneFromTheStart()).isEqualTo(new Counts(0, 0, 0));
    }

    @Test
    void finishedTodosBeyondTheCapTakeTheirEventsAlongUnlessALiveOneKeepsThem() {
        set(Settings.Key.RETENTION_MAX_ROWS, 3);
        event(1, "3 hours");
        event(2, "2 hours");
        event(3, "1 hour");
        todo(1L, "done");
        todo(1L, "pending");
        todo(2L, "done");
        todo(2L, "done");
        todo(3L, "done");

        pruner.pruneFromTheStart();

        // four are finished, three may be: the oldest is kept by its pending sibling, the next takes its event and
        // sibling
        assertThat(events()).contains(1L, 3L);
        assertThat(database.count("SELECT count(*) FROM todos WHERE event_id = 1"))
                .isEqualTo(2);
    }

    @Test
    void theCapKeepsTheNewestEventsInWhateverOrderTheirTodosWereFinished() {
        set(Settings.Key.RETENTION_MAX_ROWS, 2);
        for (long id = 1; id <= 4; id++) {
            event(id, 5 - id + " hours");
        }
        for (long id = 4; id >= 1; id--) {
            todo(id, "done");
        }

        pruner.pruneFromTheStart();

        assertThat(events()).containsExactly(3L, 4L);
        assertThat(database.count("SELECT count(*) FROM todos")).isEqualTo(2);
    }

    @Test
    void accountsAreCappedEachOnItsOwn() {
        set(Settings.Key.RETENTION_MAX_ROWS, 2);
        database.execute("INSERT INTO accounts (id, name, role) VALUES (77, 'small', 'member') ON CONFLICT DO NOTHING");
        for (int id = 1; id <= 4; id++) {
            event(id, id + " hours");
        }
        database.execute("UPDATE events SET account_id = 77 WHERE id = 4");

        assertThat(pruner.pruneFromTheStart().events()).isEqualTo(1);
        assertThat(events()).containsExactly(1L, 2L, 4L);
    }

    @Test
    void aRedeliveryOfAPrunedDeliveryIsStillADuplicate() throws Exception {
        set(Settings.Key.RETENTION_MAX_ROWS, 1_000);
        Receipt first = delivered("order-0");
        arrive(IntStream.rangeClosed(1, 1_100).mapToObj(i -> "order-" + i));
        finish("true");
        pruner.pruneFromTheStart();
        assertThat(database.count("SELECT count(*) FROM events")).isEqualTo(1_000);

        Receipt again = delivered("order-0");

        assertThat(again).isEqualTo(new Receipt(first.eventId(), true, List.of()));
        assertThat(database.count("SELECT count(*) FROM events")).isEqualTo(1_000);
        assertThat(database.count("SELECT count(*) FROM todos WHERE state = 'pending'"))
                .isZero();
    }

    @Test
    void anIdentityIsForgottenOnlyWhenItIsOldEnoughAndItsEventIsGone() {
        event(1, "8 days");
        event(2, "8 days");
        event(3, "6 days");
        database.execute("DELETE FROM events WHERE id IN (2, 3)");

        Counts pruned = pruner.pruneFromTheStart();

        assertThat(pruned).isEqualTo(new Counts(0, 0, 1));
        assertThat(database.query("SELECT event_id FROM event_keys ORDER BY event_id"))
                .extracting(row -> row.get("event_id"))
                .containsExactly(1L, 3L);
    }

    @Test
    void moreIdentitiesThanOneRunLooksAtAreForgottenByTheNext() {
        database.execute("""
                INSERT INTO event_keys (account_id, source, external_id, event_id, first_seen)
                SELECT 1, 's', 'x' || g, g, now() - interval '9 days' + g * interval '1 second' FROM generate_series(1, 10700) g
                """);

        assertThat(pruner.prune().keys()).isEqualTo(10_000);
        assertThat(pruner.prune().keys()).isEqualTo(700);
        assertThat(pruner.prune().keys()).isZero();
    }

    @Test
    void whatIsBeyondTheCapIsFinishedRunByRunWithoutWaitingForTheMinute() {
        set(Settings.Key.RETENTION_MAX_ROWS, 1);
        database.execute("""
                INSERT INTO events (account_id, id, source, family, trust_mode, verified, payload, payload_size)
                SELECT 1, g, 'queue', 'queue', 'queue', false, '', 0 FROM generate_series(1, 10201) g
                """);

        assertThat(pruner.prune().events()).isEqualTo(10_000);
        assertThat(pruner.prune().events()).isEqualTo(200);
        assertThat(events()).containsExactly(10_201L);
    }

    @Test
    void whatWasDeletedBeforeAnInterruptionStaysDeleted() {
        database.execute("""
                INSERT INTO events (account_id, id, source, family, trust_mode, verified, payload, payload_size, received_at)
                SELECT 1, g, 'queue', 'queue', 'queue', false, '', 0, now() - interval '40 days' + g * interval '1 second'
                FROM generate_series(1, 1200) g
                """);
        database.execute(
                "CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stopped'; END $$");
        database.execute(
                "CREATE TRIGGER stop_here BEFORE DELETE ON events FOR EACH ROW WHEN (OLD.id = 700) EXECUTE FUNCTION stop_here()");

        assertThatThrownBy(pruner::prune).hasStackTraceContaining("stopped");
        assertThat(database.count("SELECT count(*) FROM events")).isEqualTo(700);

        database.execute("DROP FUNCTION stop_here CASCADE");
        assertThat(pruner.prune().events()).isEqualTo(700);
    }

    @Test
    void prunersOnTwoNodesIntakeAndWorkersNeverDeadlock() throws Exception {
        set(Settings.Key.RETENTION_MAX_ROWS, 50);
        AtomicBoolean stopped = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<CompletableFuture<Void>> others = new ArrayList<>();
        for (Pruner node : List.of(pruner, new Pruner(context, settings))) {
            others.add(repeating(stopped, node::pruneFromTheStart, threads));
        }
        others.add(repeating(stopped, () -> finish("true"), threads));

        try {
            // every identity twice: duplicates lock keys and read todos that are being pruned
            arrive(IntStream.range(0, 1_500).boxed().flatMap(i -> Stream.of("d" + i, "d" + Math.max(0, i - 200))));
        } finally {
            stopped.set(true);
        }

        assertThat(others).allSatisfy(other -> assertThat(other).succeedsWithin(30, TimeUnit.SECONDS));
        threads.shutdown();
        // two nodes that look for the cap at once may each take what the other left: now one alone, over more than the
        // cap
        arrive(IntStream.range(1_500, 1_600).mapToObj(i -> "d" + i));
        finish("true");
        pruner.pruneFromTheStart();
        assertThat(database.count("SELECT count(*) FROM events")).isEqualTo(50);
        assertThat(database.count("SELECT count(*) FROM event_keys")).isEqualTo(1_600);
        assertThat(database.count(
                        "SELECT count(*) FROM todos t WHERE NOT EXISTS (SELECT FROM events e WHERE e.id = t.event_id)"))
                .isZero();
        assertThat(database.count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
                .isZero();
    }

    private static CompletableFuture<Void> repeating(AtomicBoolean stopped, Runnable work, ExecutorService threads) {
        return CompletableFuture.runAsync(
                () -> {
                    while (!stopped.get()) {
                        work.run();
                    }
                },
                threads);
    }

    private static void set(Settings.Key key, int value) {
        Exchange read = new DefaultExchange(context);
        read.getMessage().setBody(List.of(Map.of("key", key.word(), "value", Integer.toString(value))));
        settings.refresh(read);
    }

    /** Some hundreds at a time, as many as one route may have in flight. */
    private static void arrive(Stream<String> externalIds) {
        List<String> all = externalIds.toList();
        for (int from = 0; from < all.size(); from += 500) {
            List<CompletableFuture<Receipt>> wave = all.subList(from, Math.min(from + 500, all.size())).stream()
                    .map(PrunerTest::delivering)
                    .toList();
            assertThat(wave).allSatisfy(receipt -> assertThat(receipt).succeedsWithin(30, TimeUnit.SECONDS));
        }
    }

    private static Receipt delivered(String externalId) throws Exception {
        return delivering(externalId).get(10, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Receipt> delivering(String externalId) {
        Exchange exchange =
                context.getEndpoint("intake:orders?externalId=${header.order}").createExchange();
        exchange.getMessage().setHeader("order", externalId);
        exchange.getMessage().setBody("{}");
        return producer.asyncSend("intake:orders?externalId=${header.order}", exchange)
                .thenApply(done -> {
                    if (done.getException() != null) {
                        throw new IllegalStateException(done.getException());
                    }
                    return done.getProperty(IntakeEndpoint.RECEIPT, Receipt.class);
                });
    }

    /** An event with an identity, received so long ago. */
    private static void event(long id, String ago) {
        database.execute("""
                INSERT INTO events (account_id, id, source, family, trust_mode, verified, external_id, payload, payload_size, received_at)
                VALUES (1, ?, 'queue', 'queue', 'queue', false, ?, '', 0, now() - ?::interval)
                """, id, "x" + id, ago);
        database.execute("""
                INSERT INTO event_keys (account_id, source, external_id, event_id, first_seen)
                VALUES (1, 'queue', ?, ?, now() - ?::interval)
                """, "x" + id, id, ago);
    }

    private static void todo(Long event, String state) {
        database.execute("""
                INSERT INTO todos (id, account_id, queue, source, event_id, state, lease_expires_at, completed_at)
                SELECT gen_random_uuid(), 1, 'q', 'queue', ?, s,
                  CASE s WHEN 'claimed' THEN now() + interval '1 hour' END,
                  CASE WHEN s IN ('done', 'failed') THEN clock_timestamp() END
                FROM (SELECT ?::text AS s)
                """, event, state);
    }

    private static void finish(String which) {
        database.execute("""
                UPDATE todos SET state = 'done', lease_expires_at = NULL, completed_at = now()
                WHERE state IN ('pending', 'claimed') AND id IN (
                  SELECT id FROM todos WHERE state IN ('pending', 'claimed') ORDER BY id FOR UPDATE) AND\s""" + which);
    }

    private static List<Object> events() {
        return database.query("SELECT id FROM events ORDER BY id").stream()
                .map(row -> row.get("id"))
                .toList();
    }

    /** How often events were looked at to be pruned. */
    private static final class LooksAtEvents extends EventNotifierSupport {
        private final AtomicInteger looks = new AtomicInteger();

        int count() {
            return looks.get();
        }

        @Override
        public void notify(CamelEvent event) {
            if (event instanceof ExchangeSendingEvent sending
                    && sending.getEndpoint().getEndpointUri().contains("prune/lock_events.sql")) {
                looks.incrementAndGet();
            }
        }
    }

    @Test
    void auditAndWhatEndedGoWhenTheyAreOlderThanTheirSetting() {
        database.execute("INSERT INTO audit_log (account_id, id, at, actor, action, subject)"
                + " SELECT 1, gen_random_uuid(), now() - d * interval '1 day', 'a', 'x', d::text"
                + " FROM unnest(ARRAY[1, 364, 366]) d");
        database.execute(
                "INSERT INTO agents (id, account_id, name, removed_at)"
                        + " SELECT gen_random_uuid(), 1, 'gone ' || d, now() - d * interval '1 day' FROM unnest(ARRAY[364, 366]) d");
        database.execute("INSERT INTO agents (id, account_id, name) VALUES (gen_random_uuid(), 1, 'here')");
        database.execute("""
                INSERT INTO endpoints (id, account_id, agent_id, queues, verbs, revoked_at, revoked_todos, settled)
                SELECT gen_random_uuid(), 1, a.id, '{q}', '{read}', now() - interval '400 days', 'release', a.name <> 'here' FROM agents a
                """);
        database.execute("INSERT INTO credentials (account_id, endpoint_id, hash, prefix)"
                + " SELECT 1, id, decode(md5(id::text), 'hex'), 'p' FROM endpoints");

        pruner.pruneFromTheStart();

        assertThat(database.query("SELECT subject FROM audit_log ORDER BY at"))
                .extracting(row -> row.get("subject"))
                .containsExactly("364", "1");
        assertThat(database.query("SELECT name FROM agents ORDER BY name"))
                .extracting(row -> row.get("name"))
                .containsExactly("gone 364", "here");
        // one that is not settled may still hold todos
        assertThat(database.count("SELECT count(*) FROM endpoints WHERE NOT settled"))
                .isOne();
        assertThat(database.count("SELECT count(*) FROM credentials WHERE endpoint_id IS NOT NULL"))
                .isOne();
    }
}
