package pgevent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class HandoverTest {
    private final Handover handover = new Handover(4, Set.of("access"));

    @Test
    void whatWaitsIsHandedOverInTheOrderItCame() {
        put("todo_ready", "1:reviews");
        put("agent_wake", "1:reviews");
        put("todo_ready", "1:builds");

        assertThat(taken(3))
                .containsExactly(
                        new Notification("todo_ready", "1:reviews"),
                        new Notification("agent_wake", "1:reviews"),
                        new Notification("todo_ready", "1:builds"));
    }

    @Test
    void whatSaysTheSameAsOneThatWaitsIsHandedOverOnce() {
        put("todo_ready", "1:reviews");
        put("todo_ready", "1:reviews");
        put("todo_ready", "last");

        assertThat(taken(2))
                .containsExactly(new Notification("todo_ready", "1:reviews"), new Notification("todo_ready", "last"));
    }

    @Test
    void notificationThatArrivesWhileItsTwinIsWorkedOnIsHandedOverAgain() {
        put("todo_ready", "1:reviews");
        Notification workedOn = handover.take();

        put("todo_ready", "1:reviews");

        assertThat(handover.take()).isEqualTo(workedOn);
    }

    @Test
    void uncoalescedChannelKeepsEveryRepetitionInItsPlace() {
        put("access", "revoke 7");
        put("access", "grant 7");
        put("todo_ready", "1:reviews");
        put("access", "revoke 7");

        assertThat(taken(4))
                .containsExactly(
                        new Notification("access", "revoke 7"),
                        new Notification("access", "grant 7"),
                        new Notification("todo_ready", "1:reviews"),
                        new Notification("access", "revoke 7"));
    }

    @Test
    void overflowLeavesOneWakeAndGoesOnBehindIt() {
        for (int i = 1; i <= 5; i++) {
            put("access", "change " + i);
        }
        put("access", "change 6");

        assertThat(taken(2))
                .containsExactly(
                        new Notification(Notifications.WAKE, Notifications.OVERFLOW),
                        new Notification("access", "change 6"));
    }

    @Test
    void repetitionDoesNotOverflowAFullHandover() {
        for (int i = 1; i <= 4; i++) {
            put("todo_ready", "queue " + i);
        }
        put("todo_ready", "queue 2");

        assertThat(taken(4))
                .extracting(Notification::payload)
                .containsExactly("queue 1", "queue 2", "queue 3", "queue 4");
    }

    @Test
    void closingEndsTheWaitOfWhoeverTakes() {
        CompletableFuture<Notification> waiting = CompletableFuture.supplyAsync(handover::take);

        handover.close();

        await().until(waiting::isDone);
        assertThat(waiting).isCompletedWithValue(null);
    }

    private void put(String channel, String payload) {
        handover.put(new Notification(channel, payload));
    }

    private List<Notification> taken(int number) {
        List<Notification> taken = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            taken.add(handover.take());
        }
        return taken;
    }
}
