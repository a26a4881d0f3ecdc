package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.Answer;
import fixtures.Deliveries;
import fixtures.HubHome;
import fixtures.HubProcess;
import fixtures.StoppablePostgres;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL goes away under a running hub and comes back: doors refuse meanwhile, then work, and nobody restarts anything. */
@Timeout(180)
class OutageTest {
    @AutoClose
    private static final StoppablePostgres POSTGRES = StoppablePostgres.started();

    @TempDir
    private Path folder;

    @Test
    void shortOutageEndsByItself() {
        outage(Duration.ofSeconds(6));
    }

    @Test
    @Tag("soak")
    void outageOfAMinuteEndsByItself() {
        outage(Duration.ofSeconds(60));
    }

    private void outage(Duration length) {
        try (HubProcess hub = HubProcess.started(HubHome.in(folder)
                .database("postgres://%s:%s@127.0.0.1:%d/postgres"
                        .formatted(POSTGRES.user(), POSTGRES.password(), POSTGRES.port())))) {
            URI uri = hub.uri();
            assertThat(Deliveries.signedBy("github")
                            .withId("before")
                            .sendTo(uri)
                            .accepted())
                    .isTrue();
            Instant stopped = Instant.now();
            POSTGRES.stop();

            await().during(length).atMost(length.plusSeconds(20)).until(() -> {
                Answer refused = Deliveries.signedBy("github").withId("during").sendTo(uri);
                return refused.status() == 503
                        && refused.headers().firstValue("Retry-After").isPresent();
            });
            assertThat(Answer.toGet(uri.resolve("/health/live")).status()).isEqualTo(200);
            assertThat(Answer.toGet(uri.resolve("/health/ready")).status()).isEqualTo(503);
            POSTGRES.start();

            await("doors work again")
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> Deliveries.signedBy("github")
                            .withId("during")
                            .sendTo(uri)
                            .accepted());
            await("ready again")
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> Answer.toGet(uri.resolve("/health/ready")).status() == 200);
            assertThat(POSTGRES.count("SELECT count(*) FROM events WHERE external_id = 'during'"))
                    .isEqualTo(1);
            assertThat(Deliveries.signedBy("github")
                            .withId("before")
                            .sendTo(uri)
                            .duplicate())
                    .isTrue();
            assertThat(LogPace.of(hub.log())
                            .between(stopped.plusSeconds(1), Instant.now())
                            .most())
                    .as(hub.log())
                    .isLessThanOrEqualTo(1);
            assertThat(hub.log()).doesNotContain("\tat ");
        }
    }
}
