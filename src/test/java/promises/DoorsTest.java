package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.Answer;
import fixtures.Deliveries;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.Operator;
import hub.Hub;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What senders in the field send, and what becomes of it. */
@Timeout(60)
class DoorsTest {
    private static final String ADAPTERS = """
            adapters:
              - name: github
                type: github
                secret: "{{env:GITHUB_WEBHOOK_SECRET}}"
              - name: titled
                type: github
                secret: "{{env:GITHUB_WEBHOOK_SECRET}}"
                todos:
                  - name: look
                    when: payload.action == "opened"
                    queue: titled
                    title: "{payload.name}"
              - name: small
                type: github
                secret: "{{env:GITHUB_WEBHOOK_SECRET}}"
                max_body: 1KiB
                body_timeout: 300ms
              - name: homelab
                type: generic
                token: "{{env:HOMELAB_TOKEN}}"
            """;

    @AutoClose
    private static final DurableDatabase DATABASE = DurableDatabase.create();

    @TempDir
    private static Path folder;

    private static Hub hub;

    @BeforeAll
    static void startHub() {
        hub = Hub.start(
                HubHome.in(folder).database(DATABASE.url()).adapters(ADAPTERS).config());
    }

    @AfterAll
    static void stopHub() {
        hub.close();
    }

    @BeforeEach
    void startEmpty() {
        DATABASE.execute("TRUNCATE events, event_keys, todos");
    }

    private static URI uri() {
        return hub.uri();
    }

    @Test
    void vectorThatGitHubPublishesIsAccepted() {
        Answer answer = Deliveries.signedBy("github")
                .body("Hello, World!")
                .signatureHeaderSpelt("X-Hub-Signature-256")
                .sendTo(uri());

        assertThat(Deliveries.signature(HubHome.GITHUB_SECRET, "Hello, World!".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17");
        assertThat(answer.status()).isEqualTo(202);
        assertThat(stored()).isEqualTo("Hello, World!".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void formIsVerifiedByItsBytesAndRulesSeeItsPayload() {
        String json = "{\"action\":\"opened\",\"name\":\"über & co\"}";
        String form = "payload=" + URLEncoder.encode(json, StandardCharsets.UTF_8);

        Answer answer = Deliveries.signedBy("titled")
                .contentType("application/x-www-form-urlencoded")
                .body(form)
                .sendTo(uri());

        assertThat(answer.status()).isEqualTo(202);
        assertThat(stored()).isEqualTo(form.getBytes(StandardCharsets.UTF_8));
        assertThat(DATABASE.value("SELECT title FROM todos")).isEqualTo("über & co");
    }

    @Test
    void sameJsonWithOtherWhiteSpaceIsRefused() {
        Deliveries delivery = Deliveries.signedBy("github").body("{\"a\":1}");

        Answer reformatted =
                delivery.sending("{\"a\": 1}".getBytes(StandardCharsets.UTF_8)).sendTo(uri());
        Answer exact = delivery.sendTo(uri());

        assertThat(reformatted.status()).isEqualTo(401);
        assertThat(reformatted.code()).isEqualTo("signature_mismatch");
        assertThat(exact.status()).isEqualTo(202);
        assertThat(stored()).isEqualTo("{\"a\":1}".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":\"🦜 naïve café\"}", "{\"a\":\"\\ud83e\\udd9c \\u00e9\"}", "\uFEFF{}"})
    void textIsStoredAsItsBytes(String body) {
        Answer answer = Deliveries.signedBy("github").body(body).sendTo(uri());

        assertThat(answer.status()).isEqualTo(202);
        assertThat(stored()).isEqualTo(body.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-hub-signature-256", "X-HUB-SIGNATURE-256", "x-Hub-Signature-256"})
    void signatureHeaderMayBeSpeltInAnyCase(String spelling) {
        Answer answer =
                Deliveries.signedBy("github").signatureHeaderSpelt(spelling).sendTo(uri());

        assertThat(answer.status()).isEqualTo(202);
    }

    @Test
    void compressedBodyIsVerifiedAndStoredAsSent() throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write("{\"a\":1}".getBytes(StandardCharsets.UTF_8));
        }

        Answer answer = Deliveries.signedBy("github")
                .header("Content-Encoding", "gzip")
                .body(compressed.toByteArray())
                .sendTo(uri());

        assertThat(answer.status()).isEqualTo(202);
        assertThat(stored()).isEqualTo(compressed.toByteArray());
    }

    @Test
    void bodyOverTheLimitIsRefusedAndNothingOfItStored() throws IOException {
        Answer announced = Deliveries.signedBy("small").body("x".repeat(1025)).sendTo(uri());
        int chunked;
        try (RawSender sender = RawSender.to(uri())) {
            chunked = sender.head("POST /webhooks/small HTTP/1.1\nTransfer-Encoding: chunked")
                    .send(("401\r\n" + "x".repeat(1025) + "\r\n").getBytes(StandardCharsets.US_ASCII))
                    .status();
        }
        Answer fits = Deliveries.signedBy("small").body("x".repeat(1024)).sendTo(uri());

        assertThat(announced.status()).isEqualTo(413);
        assertThat(announced.code()).isEqualTo("body_too_large");
        assertThat(chunked).isEqualTo(413);
        assertThat(fits.status()).isEqualTo(202);
        assertThat(events()).isEqualTo(1);
    }

    @Test
    void bodyThatStopsHalfwayIsTimedOutAndHoldsNobodyUp() throws IOException {
        try (RawSender slow = RawSender.to(uri())) {
            slow.head("POST /webhooks/small HTTP/1.1\nContent-Length: 10").send(new byte[4]);

            Answer meanwhile = Deliveries.signedBy("small").sendTo(uri());

            assertThat(meanwhile.status()).isEqualTo(202);
            assertThat(slow.status()).isEqualTo(408);
            assertThat(events()).isEqualTo(1);
        }
    }

    @Test
    void fiftySendersThatAnnounceMuchAndSendNothingKeepNobodyOut() throws IOException {
        List<RawSender> silent = new java.util.ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                silent.add(RawSender.to(uri()).head("POST /webhooks/github HTTP/1.1\nContent-Length: 26214400"));
            }

            Answer other = Deliveries.signedBy("github").sendTo(uri());

            assertThat(other.status()).isEqualTo(202);
            for (RawSender sender : silent) {
                assertThat(sender.isAnswered()).isFalse();
            }
        } finally {
            for (RawSender sender : silent) {
                sender.close();
            }
        }
    }

    @Test
    void charsetThatDoesNotExistIsNoReasonToRefuse() {
        Answer answer = Deliveries.signedBy("github")
                .contentType("application/json; charset=bogus")
                .sendTo(uri());

        assertThat(answer.status()).isEqualTo(202);
        assertThat(DATABASE.value("SELECT content_type FROM events")).isEqualTo("application/json; charset=bogus");
    }

    @Test
    void emptyBodyIsSignedAndStoredAsEmpty() {
        Answer answer = Deliveries.signedBy("github").body(new byte[0]).sendTo(uri());

        assertThat(answer.status()).isEqualTo(202);
        assertThat(stored()).isEmpty();
    }

    @Test
    void nulInTheJsonIsStoredAndDoesNotReachTheTitle() {
        String json = "{\"action\":\"opened\",\"name\":\"a\\u0000b\"}";

        Answer answer = Deliveries.signedBy("titled").body(json).sendTo(uri());

        assertThat(answer.status()).isEqualTo(202);
        assertThat(stored()).isEqualTo(json.getBytes(StandardCharsets.UTF_8));
        assertThat(DATABASE.query("SELECT title FROM todos"))
                .singleElement()
                .satisfies(todo ->
                        assertThat(todo.get("title").toString()).startsWith("a").endsWith("b"));
    }

    @Test
    void queryCannotPoseAsAHeader() {
        Deliveries delivery = Deliveries.signedBy("github");

        Answer spoofed =
                delivery.query("X-GitHub-Event=evil&X-GitHub-Delivery=evil").sendTo(uri());
        String signature = Deliveries.signature(HubHome.GITHUB_SECRET, new byte[0]);
        Answer signedByQuery = delivery.body(new byte[0])
                .signatureHeaderSpelt("X-Other")
                .query("X-Hub-Signature-256=" + signature)
                .sendTo(uri());

        assertThat(spoofed.status()).isEqualTo(202);
        assertThat(signedByQuery.status()).isEqualTo(401);
        assertThat(signedByQuery.code()).isEqualTo("signature_missing");
        assertThat(DATABASE.query("SELECT event_type, external_id FROM events"))
                .singleElement()
                .satisfies(event ->
                        assertThat(event).containsEntry("event_type", "push").containsEntry("external_id", null));
    }

    @Test
    void tamperedDeliveryIsRefusedAndNotStored() {
        Answer answer =
                Deliveries.signedBy("github").withId("tampered").tampered().sendTo(uri());

        assertThat(answer.status()).isEqualTo(401);
        assertThat(events()).isZero();
        assertThat(DATABASE.count("SELECT count(*) FROM event_keys")).isZero();
    }

    @Test
    void pingIsStoredAndAsksForNothing() {
        Answer answer = Deliveries.signedBy("github").ofType("ping").sendTo(uri());

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.body().required("todos")).isEmpty();
        assertThat(events()).isEqualTo(1);
        assertThat(DATABASE.count("SELECT count(*) FROM todos")).isZero();
    }

    @Test
    void adapterSwitchedOffIsNotFoundAtOnceAlsoForAValidSignature() {
        Operator operator = Operator.of(uri());
        try {
            Answer off = operator.put("/v1/operator/adapters/github", "{\"enabled\":false}");
            Answer refused = Deliveries.signedBy("github").sendTo(uri());
            Answer nobody = Deliveries.signedBy("nobody").sendTo(uri());

            assertThat(off.status()).isEqualTo(200);
            assertThat(refused.status()).isEqualTo(404);
            // it looks like one that never was
            assertThat(refused.code()).isEqualTo(nobody.code());
            assertThat(events()).isZero();
        } finally {
            operator.put("/v1/operator/adapters/github", "{\"enabled\":null}");
        }
        assertThat(Deliveries.signedBy("github").sendTo(uri()).status()).isEqualTo(202);
    }

    @Test
    void identitiesThatDifferAtTheirEndAreTwoDeliveries() {
        String start = "i".repeat(399);
        Answer one = Deliveries.signedBy("github").withId(start + "1").sendTo(uri());
        Answer two = Deliveries.signedBy("github").withId(start + "2").sendTo(uri());
        Answer twoAgain = Deliveries.signedBy("github").withId(start + "2").sendTo(uri());

        assertThat(one.status()).isEqualTo(202);
        assertThat(two.status()).isEqualTo(202);
        assertThat(twoAgain.status()).isEqualTo(200);
        assertThat(events()).isEqualTo(2);
    }

    @Test
    void identityBelongsToItsSource() {
        Answer github = Deliveries.signedBy("github").withId("shared").sendTo(uri());
        Answer titled = Deliveries.signedBy("titled").withId("shared").sendTo(uri());
        Answer homelab = Deliveries.withTokenFor("homelab").withId("shared").sendTo(uri());

        assertThat(List.of(github.status(), titled.status(), homelab.status())).containsOnly(202);
        assertThat(DATABASE.query("SELECT source FROM events ORDER BY source"))
                .extracting(event -> event.get("source"))
                .containsExactly("generic:homelab", "github", "titled");
    }

    @Test
    void redeliveryIsVisible() {
        Deliveries delivery = Deliveries.signedBy("github").withId("again");
        Answer first = delivery.sendTo(uri());

        Answer second = delivery.sendTo(uri());
        Answer third = delivery.sendTo(uri());

        assertThat(second.status()).isEqualTo(200);
        assertThat(third.duplicate()).isTrue();
        assertThat(third.eventId()).isEqualTo(first.eventId());
        assertThat(third.body().required("todos").get(0).required("id"))
                .isEqualTo(first.body().required("todos").get(0).required("id"));
        Answer event = Operator.of(uri()).get("/v1/events/" + first.eventId());
        assertThat(event.body().required("duplicates").intValue()).isEqualTo(2);
        assertThat(event.body().required("last_duplicate_at").asText()).isNotEmpty();
        assertThat(events()).isEqualTo(1);
    }

    @Test
    void redeliveryOfWhatRetentionHasTakenIsStillADuplicate() {
        Deliveries delivery = Deliveries.signedBy("github").ofType("ping").withId("pruned");
        Answer first = delivery.sendTo(uri());
        DATABASE.execute("UPDATE events SET received_at = now() - interval '40 days'");
        await().until(() -> events() == 0);

        Answer again = delivery.sendTo(uri());

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.eventId()).isEqualTo(first.eventId());
        assertThat(again.body().required("todos")).isEmpty();
        assertThat(events()).isZero();
    }

    private static long events() {
        return DATABASE.count("SELECT count(*) FROM events");
    }

    /** The body of the only event. */
    private static byte[] stored() {
        return (byte[]) DATABASE.value("SELECT payload FROM events");
    }
}
