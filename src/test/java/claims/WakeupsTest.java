package claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Hints on their way: none blocks who brings it, none is lost, equal ones become one. */
class WakeupsTest {
    @AutoClose
    private final Wakeups wakeups = new Wakeups();

    /** Remembers what it hears, and can be stuck. */
    private static final class Ear implements Wakeups.Listener {
        final List<String> heard = new CopyOnWriteArrayList<>();
        final CountDownLatch stuck;

        Ear(int turns) {
            stuck = new CountDownLatch(turns);
        }

        @Override
        public void ring(long account, String queue) {
            heard.add(account + ":" + queue);
            awaitUnstuck();
        }

        @Override
        public void ringAll() {
            heard.add("everything");
            awaitUnstuck();
        }

        private void awaitUnstuck() {
            com.google.common.util.concurrent.Uninterruptibles.awaitUninterruptibly(stuck);
        }
    }

    @Test
    void everyListenerHearsEveryQueueInOrder() {
        Ear one = new Ear(0);
        Ear other = new Ear(0);
        wakeups.subscribe(one);
        wakeups.subscribe(other);

        wakeups.ring(1, "a");
        wakeups.ring(2, "b:c");

        await().untilAsserted(() -> assertThat(one.heard).containsExactly("1:a", "2:b:c"));
        await().untilAsserted(() -> assertThat(other.heard).containsExactly("1:a", "2:b:c"));
    }

    @Test
    void whileAListenerIsStuckEqualWakesBecomeOne() {
        Ear slow = new Ear(1);
        wakeups.subscribe(slow);
        wakeups.ring(1, "first");
        await().until(() -> slow.heard.contains("1:first"));

        for (int i = 0; i < 10_000; i++) {
            wakeups.ring(1, "again");
        }
        slow.stuck.countDown();

        await().untilAsserted(() -> assertThat(slow.heard).containsExactly("1:first", "1:again"));
    }

    @Test
    void tooManyWakesBecomeOneForEverything() {
        Ear slow = new Ear(1);
        wakeups.subscribe(slow);
        wakeups.ring(1, "first");
        await().until(() -> slow.heard.contains("1:first"));

        for (int i = 0; i < 5_000; i++) {
            wakeups.ring(1, "queue " + i);
        }
        slow.stuck.countDown();

        await().untilAsserted(() -> assertThat(slow.heard).containsExactly("1:first", "everything"));
    }

    @Test
    void listenerThatFailsNeitherStopsTheOthersNorTheNextWake() {
        Ear sound = new Ear(0);
        wakeups.subscribe(new Wakeups.Listener() {
            @Override
            public void ring(long account, String queue) {
                throw new IllegalStateException("broken");
            }

            @Override
            public void ringAll() {
                throw new IllegalStateException("broken");
            }
        });
        wakeups.subscribe(sound);

        wakeups.ring(1, "a");
        await().untilAsserted(() -> assertThat(sound.heard).containsExactly("1:a"));
        wakeups.ringAll();

        await().untilAsserted(() -> assertThat(sound.heard).containsExactly("1:a", "everything"));
    }
}
