package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.Deliveries;
import fixtures.HubHome;
import fixtures.HubProcess;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How long it takes from the start to the first accepted delivery, on a data directory that exists. */
@Tag("soak")
@Timeout(300)
class StartTimeTest {
    private static final int STARTS = 5;

    @TempDir
    private Path folder;

    @Test
    void startToFirstAcceptedDeliveryIsMeasured() {
        HubHome home = HubHome.in(folder);
        stop(HubProcess.started(home));

        for (int i = 1; i <= STARTS; i++) {
            String id = "start-" + i;
            long begun = System.nanoTime();
            try (HubProcess hub = HubProcess.launch(home)) {
                URI uri = hub.uri();
                await().pollInterval(Duration.ofMillis(20))
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> accepts(uri, id));
                System.out.printf(
                        "start to first accepted delivery: %d ms%n",
                        Duration.ofNanos(System.nanoTime() - begun).toMillis());
                stop(hub);
            }
        }
    }

    private static boolean accepts(URI hub, String id) {
        try {
            return Deliveries.signedBy("github").withId(id).sendTo(hub).accepted();
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    private static void stop(HubProcess hub) {
        hub.terminate();
        assertThat(hub.exitStatus(Duration.ofSeconds(30))).isZero();
    }
}
