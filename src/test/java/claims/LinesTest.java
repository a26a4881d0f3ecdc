package claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import model.Refusal;
import model.Todo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is served when, step by step, with the test as the only lane: every interleaving that matters, each on its own. */
@Timeout(10)
class LinesTest {
    private final Lines lines = new Lines(10_000, 10_000);

    @Test
    void waiterIsOfferedOnceAndThenWaitsForAWake() throws Exception {
        Waiter waiter = parked("a");

        Turn turn = lines.take();
        assertThat(turn.waiters).containsExactly(waiter);
        assertThat(lines.settle(turn, null)).isEmpty();
        assertNothingToDo();

        lines.ring(1, "a");
        assertThat(lines.take().waiters).containsExactly(waiter);
    }

    @Test
    void wakeWhileALineIsServedBringsItBack() throws Exception {
        Waiter waiter = parked("a");
        Turn turn = lines.take();

        lines.ring(1, "a");
        lines.settle(turn, null);

        assertThat(lines.take().waiters).containsExactly(waiter);
    }

    @Test
    void wakesOfOtherQueuesAndAccountsDisturbNobody() throws Exception {
        parked("a");
        lines.settle(lines.take(), null);

        lines.ring(1, "b");
        lines.ring(2, "a");

        assertNothingToDo();
    }

    @Test
    void lineThatComesToAWaiterWhoIsServedElsewhereComesAgain() throws Exception {
        Waiter waiter = parked("a", "b");
        lookEverywhere();
        lines.ring(1, "a");
        Turn ofA = lines.take();

        lines.ring(1, "b");
        assertNothingToDo();
        lines.settle(ofA, null);

        Turn again = lines.take();
        assertThat(again.line.queue).isEqualTo("b");
        assertThat(again.waiters).containsExactly(waiter);
    }

    @Test
    void queuesAreLookedAtOneAfterTheOtherBeforeAnEmptyAnswer() throws Exception {
        Waiter waiter = parkedImpatient("a", "b");

        Turn first = lines.take();
        assertThat(first.line.queue).isEqualTo("a");
        assertThat(lines.settle(first, null)).isEmpty();
        Turn second = lines.take();
        assertThat(second.line.queue).isEqualTo("b");

        assertThat(lines.settle(second, null)).containsExactly(waiter);
    }

    @Test
    void waiterWithSomeButNotAllGoesOnToItsNextQueue() throws Exception {
        Waiter waiter = parked(ask(3, Duration.ofMinutes(1), "a", "b"));
        Turn first = lines.take();
        first.give(waiter, todo());
        assertThat(lines.settle(first, null)).isEmpty();

        Turn second = lines.take();
        assertThat(second.wanted(waiter)).isEqualTo(2);
        second.give(waiter, todo());

        assertThat(lines.settle(second, null)).containsExactly(waiter);
        assertThat(waiter.got).hasSize(2);
    }

    @Test
    void unservedKeepTheirPlaceInFrontOfThoseWhoCameLater() throws Exception {
        Waiter first = parked("a");
        lines.settle(lines.take(), null);
        Waiter second = parked("a");

        assertThat(lines.take().waiters).containsExactly(first, second);
    }

    @Test
    void roundThatIsTooLongForOneStatementGoesOnWhereItStopped() throws Exception {
        for (int i = 0; i < 5; i++) {
            parked(ask(100, Duration.ofMinutes(1), "a"));
        }
        Waiter last = parked(ask(100, Duration.ZERO, "a"));

        Turn first = lines.take();
        assertThat(first.waiters).hasSize(5).doesNotContain(last);
        assertThat(lines.settle(first, null)).isEmpty();
        Turn second = lines.take();
        assertThat(second.waiters).containsExactly(last);
        assertThat(lines.settle(second, null)).containsExactly(last);

        assertNothingToDo();
    }

    @Test
    void filledTurnIsFollowedByOneForThoseBehind() throws Exception {
        for (int i = 0; i < 5; i++) {
            parked(ask(100, Duration.ofMinutes(1), "a"));
        }
        Waiter behind = parked(ask(1, Duration.ofMinutes(1), "a"));
        Turn first = lines.take();
        first.waiters.forEach(waiter -> {
            for (int i = 0; i < 100; i++) {
                first.give(waiter, todo());
            }
        });
        first.filled = true;

        assertThat(lines.settle(first, null)).hasSize(5);

        assertThat(lines.take().waiters).containsExactly(behind);
    }

    @Test
    void answersOfOneTurnHoldABoundedAmountOfPayload() throws Exception {
        for (int i = 0; i < 100; i++) {
            parked("a");
        }

        assertThat(lines.take().waiters).hasSize((int) (Lines.BYTES >> 20));
    }

    @Test
    void whoLeavesWhileServedIsSettledByTheLane() throws Exception {
        Waiter waiter = parked("a");
        Turn turn = lines.take();

        assertThat(lines.abandon(waiter)).isFalse();
        turn.give(waiter, todo());

        assertThat(lines.settle(turn, null)).containsExactly(waiter);
        assertThat(waiter.gone).isTrue();
        assertThat(lines.parked()).isZero();
    }

    @Test
    void whoLeavesWhileWaitingIsForgottenAtOnce() throws Exception {
        Waiter waiter = parked("a");
        lines.settle(lines.take(), null);

        assertThat(lines.abandon(waiter)).isTrue();
        assertThat(lines.abandon(waiter)).isFalse();
        lines.ring(1, "a");

        assertNothingToDo();
        assertThat(lines.parked()).isZero();
    }

    @Test
    void faultAnswersThoseWhoDoNotWaitAndIsTriedAgainForTheOthers() throws Exception {
        Waiter waiting = parked("a");
        Waiter impatient = parkedImpatient("a");
        Refusal fault = new Refusal(Refusal.Code.DATABASE_UNAVAILABLE, "away");

        assertThat(lines.settle(lines.take(), fault)).containsExactly(impatient);
        assertNothingToDo();

        lines.ring(1, "a");
        assertThat(lines.take().waiters).containsExactly(waiting);
    }

    @Test
    void ringForEverythingBringsEveryLineBack() throws Exception {
        parked("a");
        parked("b");
        parked();
        for (int i = 0; i < 3; i++) {
            lines.settle(lines.take(), null);
        }

        lines.ringAll();

        for (int i = 0; i < 3; i++) {
            assertThat(lines.take().waiters).hasSize(1);
        }
    }

    @Test
    void queueThatWasRungForIsLookedAtFirstByThoseWhoWaitForAny() throws Exception {
        parked();
        lines.settle(lines.take(), null);

        lines.ring(1, "made later");

        assertThat(lines.take().promising).containsExactly("made later");
    }

    @Test
    void closedLinesSendTheLanesHomeWhenAllIsServed() throws Exception {
        Waiter waiter = parked("a");
        Turn turn = lines.take();

        assertThat(lines.endWaits()).isEmpty();
        lines.close();
        assertThat(lines.settle(turn, null)).containsExactly(waiter);

        assertThat(lines.take()).isNull();
    }

    private Waiter parked(String... queues) {
        return parked(ask(1, Duration.ofMinutes(1), queues));
    }

    private Waiter parkedImpatient(String... queues) {
        return parked(ask(1, Duration.ZERO, queues));
    }

    private Waiter parked(ClaimAsk ask) {
        Waiter waiter = new Waiter(ask);
        lines.park(waiter);
        return waiter;
    }

    private static ClaimAsk ask(int limit, Duration patience, String... queues) {
        return new ClaimAsk(1, null, "operator", null, null, List.of(queues), limit, null, patience, 1 << 20);
    }

    private void lookEverywhere() throws Exception {
        lines.settle(lines.take(), null);
        lines.settle(lines.take(), null);
    }

    /** A lane that asks for a line finds none. */
    private void assertNothingToDo() throws Exception {
        CompletableFuture<Turn> turn = new CompletableFuture<>();
        Thread lane = new Thread(() -> {
            try {
                turn.complete(lines.take());
            } catch (InterruptedException e) {
                turn.completeExceptionally(e);
            }
        });
        lane.start();
        try {
            Turn found = turn.get(50, TimeUnit.MILLISECONDS);
            throw new AssertionError("the line of " + found.line.queue + " wants service");
        } catch (TimeoutException asItShould) {
            lane.interrupt();
            lane.join();
        }
    }

    private static ClaimedTodo todo() {
        Todo todo = new Todo(
                UUID.randomUUID(),
                "a",
                "s",
                null,
                null,
                "claimed",
                0,
                1,
                0,
                5,
                null,
                "operator",
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        return new ClaimedTodo(todo, null, null);
    }
}
