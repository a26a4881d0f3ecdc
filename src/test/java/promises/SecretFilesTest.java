package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.Answer;
import fixtures.Deliveries;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.Operator;
import hub.Hub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Secrets in files and in lists: changed while the hub runs, and nobody is let in by accident. Case 8. */
@Timeout(60)
class SecretFilesTest {
    private static final String OLD = "the-secret-of-last-year-3f1c";
    private static final String NEW = "the-secret-of-this-year-77ab";

    @AutoClose
    private final DurableDatabase database = DurableDatabase.create();

    @TempDir
    private Path folder;

    private Path secret;

    @BeforeEach
    void writeOldSecret() throws IOException {
        secret = folder.resolve("github.secret");
        Files.writeString(secret, OLD + "\n");
    }

    private Hub hub(String secrets) {
        return Hub.start(HubHome.in(folder)
                .database(database.url())
                .adapters("adapters:\n  - name: github\n    type: github\n    secret: " + secrets + "\n")
                .variable("NEW", NEW)
                .config());
    }

    private static int status(Hub hub, String secret) {
        return Deliveries.signedBy("github")
                .signedWith(secret)
                .sendTo(hub.uri())
                .status();
    }

    @Test
    void changedFileIsReadAgainByItself() throws IOException {
        try (Hub hub = hub("\"{{file:" + secret + "}}\"")) {
            assertThat(status(hub, OLD)).isEqualTo(202);
            assertThat(status(hub, NEW)).isEqualTo(401);

            Files.writeString(secret, NEW + "\n");

            await().atMost(Duration.ofSeconds(20)).until(() -> status(hub, NEW) == 202);
            assertThat(status(hub, OLD)).isEqualTo(401);
        }
    }

    @Test
    void adapterWhoseFileIsGoneIsOffUntilItIsBack() throws IOException {
        try (Hub hub = hub("\"{{file:" + secret + "}}\"")) {
            Files.delete(secret);
            hub.readSecretsAgain();

            assertThat(status(hub, OLD)).isEqualTo(404);
            assertThat(Answer.toGet(hub.uri().resolve("/health/ready"))
                            .body()
                            .path("status")
                            .asText())
                    .isEqualTo("degraded");

            Files.writeString(secret, OLD);
            hub.readSecretsAgain();

            assertThat(status(hub, OLD)).isEqualTo(202);
        }
    }

    @Test
    void eitherOfTwoSecretsIsAcceptedUntilTheOldOneEnds() {
        Instant soon = Instant.now().plusSeconds(3);
        try (Hub hub = hub("[{id: new, value: \"{{env:NEW}}\"}, {id: old, value: \"{{file:" + secret
                + "}}\", not_after: \"" + soon + "\"}]")) {
            assertThat(status(hub, NEW)).isEqualTo(202);
            if (Instant.now().isBefore(soon.minusMillis(500))) {
                assertThat(status(hub, OLD)).isEqualTo(202);
            }

            await().atMost(Duration.ofSeconds(20)).until(() -> status(hub, OLD) == 401);
            assertThat(status(hub, NEW)).isEqualTo(202);
            assertThat(database.value("SELECT count(*) FROM events WHERE verify_detail LIKE '%secret \"new\"%'"))
                    .isEqualTo(2L);
            assertThat(Operator.of(hub.uri()).get("/v1/operator/adapters").text())
                    .contains("\"id\":\"new\"")
                    .doesNotContain(NEW)
                    .doesNotContain(OLD);
        }
    }
}
