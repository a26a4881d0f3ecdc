package claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import claims.TestDesk.Ask;
import fixtures.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import model.Refusal;
import model.Todo;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything at once, at random: agents that claim from one queue, several or all, that complete, fail, release, or leave
 * while they wait; todos that appear, with their wakes. Afterwards no todo is due while somebody waits for it, and none
 * ever had two live owners.
 */
@Timeout(120)
class DeskInterleavingTest {
    private static final List<String> QUEUES = List.of("a", "b", "c", "d");
    private static final int AGENTS = 12;
    private static final int MAKERS = 3;
    private static final int TODOS_OF_A_MAKER = 200;

    @AutoClose
    private static final TestDatabase database = TestDatabase.create();

    private final Queue<String> broken = new ConcurrentLinkedQueue<>();

    /** Who holds what, as the agents see it. */
    private final ConcurrentMap<String, Integer> held = new ConcurrentHashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nothingIsLostAndNothingIsHeldTwice(long seed) throws Exception {
        database.execute("TRUNCATE events, todos, todo_attempts, queues");
        // only the database's notifications wake here: the re-poll is a minute away
        try (TestDesk desk = TestDesk.listening(database)) {
            AtomicBoolean more = new AtomicBoolean(true);
            CountDownLatch made = new CountDownLatch(MAKERS);
            List<Thread> agents = new ArrayList<>();
            for (int i = 0; i < AGENTS; i++) {
                Random random = new Random(seed * 1_000 + i);
                String label = "agent " + i;
                agents.add(started(() -> work(desk, random, label, more)));
            }
            for (int i = 0; i < MAKERS; i++) {
                Random random = new Random(seed * 2_000 + i);
                started(() -> {
                    make(desk, random);
                    made.countDown();
                });
            }
            made.await();

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(
                                    database.count("SELECT count(*) FROM todos WHERE state IN ('pending', 'claimed')"))
                            .isZero());
            more.set(false);
            desk.desk.endWaits();
            for (Thread agent : agents) {
                agent.join();
            }

            assertThat(broken).isEmpty();
            assertThat(held).isEmpty();
            assertThat(desk.desk.numbers().parked()).isZero();
            assertThat(database.count("SELECT count(*) FROM todos WHERE state IN ('done', 'failed')"))
                    .isEqualTo((long) MAKERS * TODOS_OF_A_MAKER);
            // every number of an attempt was used once, by one owner
            assertThat(database.count("SELECT count(*) FROM todos t WHERE t.attempt <>"
                            + " (SELECT count(*) FROM todo_attempts h WHERE h.todo_id = t.id)"))
                    .isZero();
        }
    }

    private Thread started(Runnable work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                broken.add(e.toString());
            }
        });
        thread.start();
        return thread;
    }

    private static void make(TestDesk desk, Random random) {
        for (int i = 0; i < TODOS_OF_A_MAKER; i++) {
            String queue = QUEUES.get(random.nextInt(QUEUES.size()));
            desk.todo(queue);
        }
    }

    private void work(TestDesk desk, Random random, String label, AtomicBoolean more) {
        while (more.get()) {
            ParkedClaim parked;
            try {
                parked = desk.parks(ask(random).as(label).atMost(1 + random.nextInt(5)));
            } catch (Refusal stopping) {
                return;
            }
            if (random.nextInt(5) == 0) {
                leaveAtSomeMoment(desk, parked, random);
                continue;
            }
            for (Todo todo : TestDesk.todos(parked)) {
                hold(todo);
                end(desk, random, todo);
            }
        }
    }

    private static Ask ask(Random random) {
        Ask ask = switch (random.nextInt(4)) {
            case 0 -> Ask.ofAnyQueue();
            case 1 -> Ask.of("a", "b", "c", "d");
            case 2 -> Ask.of("d", "b");
            default -> Ask.of(QUEUES.get(random.nextInt(QUEUES.size())));
        };
        return random.nextInt(3) == 0 ? ask : ask.waiting(Duration.ofMillis(20 + random.nextInt(400)));
    }

    private static void leaveAtSomeMoment(TestDesk desk, ParkedClaim parked, Random random) {
        int spins = random.nextInt(20_000);
        for (int i = 0; i < spins && !parked.answer().isDone(); i++) {
            Thread.onSpinWait();
        }
        parked.abandon();
        // answered before it left, but never handed over
        desk.desk.giveBack(TestDesk.ACCOUNT, TestDesk.now(parked.answer()));
    }

    private void hold(Todo todo) {
        Integer other = held.put(todo.id().toString(), todo.attempt());
        if (other != null) {
            broken.add("todo " + todo.id() + " is held as attempt " + other + " and as " + todo.attempt());
        }
    }

    private void end(TestDesk desk, Random random, Todo todo) {
        // no longer held from the moment at which somebody else may claim it
        held.remove(todo.id().toString());
        Verb.Attempt attempt = TestDesk.attempt(todo);
        switch (random.nextInt(6)) {
            case 0 -> TestDesk.now(desk.attempts.release(attempt));
            case 1 -> TestDesk.now(desk.attempts.fail(new Verb.Fail(attempt, "not today", 0, false)));
            default -> TestDesk.now(desk.attempts.complete(new Verb.Complete(attempt, null)));
        }
    }
}
