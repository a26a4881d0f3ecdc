package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.Answer;
import fixtures.Deliveries;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.HubProcess;
import fixtures.Operator;
import hub.Hub;
import hub.HubConfig;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is held in memory is bounded, and what is slow holds up nobody else. */
@Timeout(60)
class LimitsTest {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;
    private static final int BODY = 256 * KIB;
    /** Of this one adapter may hold a quarter: four bodies. */
    private static final int INTAKE_MAX_BYTES = 4 * MIB;

    private static final Pattern HELD = Pattern.compile("(\\d+) bytes held");

    /** Four more than the threads that hand receipts back to a route. */
    private static final int SLOW_MESSAGES = 8;

    @AutoClose
    private static final DurableDatabase DATABASE = DurableDatabase.create();

    @TempDir
    private static Path folder;

    private static Hub hub;

    @BeforeAll
    static void startHub() {
        hub = Hub.start(HubHome.in(folder)
                .database(DATABASE.url())
                .set(HubConfig.Key.INTAKE_MAX_BYTES, INTAKE_MAX_BYTES)
                .route("slow.camel.yaml", """
                        - route:
                            id: slow
                            from:
                              uri: timer:slow?period=1&delay=0&repeatCount=%d
                              steps:
                                - setBody:
                                    constant: "{}"
                                - to: intake:orders
                                - bean:
                                    beanType: promises.SlowStep
                                    method: await
                        """.formatted(SLOW_MESSAGES))
                .config());
    }

    @AfterAll
    static void stopHub() {
        SlowStep.goOn();
        hub.close();
    }

    @BeforeEach
    void startEmpty() {
        DATABASE.execute("DELETE FROM events WHERE source = 'github'");
    }

    private static URI uri() {
        return hub.uri();
    }

    @Test
    void slowStepAfterIntakeInOneRouteHoldsUpNoOtherDelivery() {
        await().until(() -> SlowStep.waiting() > 0);

        Answer signed = Deliveries.signedBy("github").sendTo(uri());
        Answer byToken = Deliveries.withTokenFor("homelab").sendTo(uri());

        assertThat(signed.status()).isEqualTo(202);
        assertThat(byToken.status()).isEqualTo(202);
        // its own deliveries are committed as well, only their receipts wait
        await().until(() ->
                DATABASE.count("SELECT count(*) FROM events WHERE source = 'route:orders'") == SLOW_MESSAGES);
        assertThat(SlowStep.finished()).isZero();
    }

    @Test
    void bodiesBeyondTheBudgetAreAskedToComeBackAndThenFit() throws Exception {
        List<RawSender> senders = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                senders.add(RawSender.to(uri()).head("POST /webhooks/github HTTP/1.1\nContent-Length: " + BODY));
            }
            // all but the last byte, so that whoever is let in holds what it sent
            for (RawSender sender : senders) {
                sendQuietly(sender, new byte[BODY - 1]);
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> answered(senders) == 96);
            // a few bytes more where the other test's receipts wait
            assertThat(heldBytes()).isBetween(4L * (BODY - 1), INTAKE_MAX_BYTES / 4L + KIB);
            for (RawSender sender : senders) {
                if (sender.isAnswered()) {
                    assertThat(sender.status()).isEqualTo(503);
                }
            }
        } finally {
            for (RawSender sender : senders) {
                sender.close();
            }
        }
        await().atMost(Duration.ofSeconds(10)).until(() -> heldBytes() < KIB);

        Answer later = Deliveries.signedBy("github").body(new byte[BODY]).sendTo(uri());

        assertThat(later.status()).isEqualTo(202);
        assertThat(DATABASE.count("SELECT count(*) FROM events WHERE source = 'github'"))
                .isEqualTo(1);
    }

    private static int answered(List<RawSender> senders) throws Exception {
        int answered = 0;
        for (RawSender sender : senders) {
            answered += sender.isAnswered() ? 1 : 0;
        }
        return answered;
    }

    /** A sender that was refused already may find its connection closed. */
    private static void sendQuietly(RawSender sender, byte[] bytes) {
        try {
            sender.send(bytes);
        } catch (java.io.IOException refusedAlready) {
            // its answer says so
        }
    }

    private static long heldBytes() {
        String intake = Operator.of(uri())
                .get("/health/ready")
                .body()
                .at("/parts/intake/detail")
                .asText();
        Matcher held = HELD.matcher(intake);
        assertThat(held.find()).as(intake).isTrue();
        return Long.parseLong(held.group(1));
    }

    @Test
    @Tag("soak")
    @Timeout(300)
    void hundredBodiesOf25MibNeitherFillTheMemoryNorKeepOthersOut() {
        try (HubProcess small =
                HubProcess.started(HubHome.in(folder.resolve("small")).database(DATABASE.url()))) {
            byte[] body = new byte[25 * MIB];

            List<CompletableFuture<Answer>> sent = IntStream.range(0, 100)
                    .mapToObj(i -> Deliveries.signedBy("github")
                            .withId("big-" + i)
                            .body(body)
                            .startTo(small.uri()))
                    .toList();
            Answer other = Deliveries.withTokenFor("homelab").sendTo(small.uri());

            assertThat(other.status()).isEqualTo(202);
            assertThat(sent)
                    .allSatisfy(answer -> assertThat(
                                    answer.handle((given, connectionEnded) -> given == null ? 503 : given.status())
                                            .join())
                            .isIn(202, 503));
            assertThat(small.log()).doesNotContain("OutOfMemoryError");
            // a heap of 256 MiB, and what a JVM needs beside it
            assertThat(small.residentBytes()).isLessThan(700L * MIB);
            assertThat(Deliveries.signedBy("github").sendTo(small.uri()).status())
                    .isEqualTo(202);
        }
    }
}
