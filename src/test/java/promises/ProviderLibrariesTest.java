package promises;

import static org.assertj.core.api.Assertions.assertThat;

import com.slack.api.app_backend.SlackSignature;
import com.standardwebhooks.Webhook;
import fixtures.Answer;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import hub.Hub;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What providers' own libraries sign is let in, and what they would refuse is refused. */
@Timeout(60)
class ProviderLibrariesTest {
    private static final String STRIPE = "whsec_of-the-library-test";
    private static final String SLACK = "8f742231b10e8888abcd99yyyzzz85a5";
    private static final String STANDARD =
            "whsec_" + Base64.getEncoder().encodeToString("twenty-four bytes or more".getBytes(StandardCharsets.UTF_8));

    @AutoClose
    private static final DurableDatabase DATABASE = DurableDatabase.create();

    @TempDir
    private static Path folder;

    private static Hub hub;

    @BeforeAll
    static void startHub() {
        hub = Hub.start(HubHome.in(folder)
                .database(DATABASE.url())
                .adapters("""
                        adapters:
                          - {name: stripe, type: stripe, secret: "{{env:STRIPE}}"}
                          - {name: slack, type: slack, secret: "{{env:SLACK}}"}
                          - {name: standard, type: standard-webhooks, secret: "{{env:STANDARD}}"}
                          - {name: svix, type: svix, secret: "{{env:STANDARD}}"}
                        """)
                .variable("STRIPE", STRIPE)
                .variable("SLACK", SLACK)
                .variable("STANDARD", STANDARD)
                .config());
    }

    @AfterAll
    static void stopHub() {
        hub.close();
    }

    private static Answer sent(String adapter, String body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(hub.uri() + "/webhooks/" + adapter))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return Answer.to(request);
    }

    private static Map<String, Object> event(Answer answer) {
        return DATABASE.query("SELECT verified, event_type, external_id FROM events WHERE id = " + answer.eventId())
                .get(0);
    }

    @Test
    void stripe() throws Exception {
        String body = "{\"id\":\"evt_1\",\"type\":\"charge.failed\",\"text\":\"Füße\"}";
        long now = com.stripe.net.Webhook.Util.getTimeNow();
        String signature = com.stripe.net.Webhook.Util.computeHmacSha256(STRIPE, now + "." + body);

        Answer answer = sent("stripe", body, Map.of("Stripe-Signature", "t=" + now + ",v1=" + signature + ",v0=x"));
        Answer tampered =
                sent("stripe", body + " ", Map.of("Stripe-Signature", "t=" + now + ",v1=" + signature + ",v0=x"));

        assertThat(answer.status()).isEqualTo(202);
        assertThat(event(answer))
                .containsEntry("verified", true)
                .containsEntry("event_type", "charge.failed")
                .containsEntry("external_id", "evt_1");
        assertThat(tampered.status()).isEqualTo(401);
    }

    @Test
    void slack() {
        String body = "{\"type\":\"event_callback\",\"event_id\":\"Ev1\",\"event\":{\"type\":\"app_mention\"}}";
        String now = Long.toString(Instant.now().getEpochSecond());
        String signature = new SlackSignature.Generator(SLACK).generate(now, body);

        Answer answer = sent("slack", body, Map.of("X-Slack-Request-Timestamp", now, "X-Slack-Signature", signature));
        Answer other = sent(
                "slack",
                body,
                Map.of(
                        "X-Slack-Request-Timestamp",
                        now,
                        "X-Slack-Signature",
                        new SlackSignature.Generator("other").generate(now, body)));

        assertThat(answer.status()).isEqualTo(202);
        assertThat(event(answer)).containsEntry("event_type", "app_mention").containsEntry("external_id", "Ev1");
        assertThat(other.status()).isEqualTo(401);
    }

    @Test
    void standardWebhooksAndSvix() throws Exception {
        String body = "{\"type\":\"invoice.paid\",\"data\":{}}";
        long now = Instant.now().getEpochSecond();
        String signature = new Webhook(STANDARD).sign("msg_1", now, body);

        for (String prefix : new String[] {"webhook", "svix"}) {
            Map<String, String> headers = Map.of(
                    prefix + "-id",
                    "msg_1",
                    prefix + "-timestamp",
                    Long.toString(now),
                    prefix + "-signature",
                    "v1,bm9uZXNlbnNl " + signature);
            String adapter = prefix.equals("svix") ? "svix" : "standard";

            Answer answer = sent(adapter, body, headers);
            Answer tampered = sent(adapter, body.replace("paid", "void"), headers);

            assertThat(answer.status()).as(answer.text()).isEqualTo(202);
            assertThat(event(answer))
                    .containsEntry("verified", true)
                    .containsEntry("event_type", "invoice.paid")
                    .containsEntry("external_id", "msg_1");
            assertThat(tampered.status()).isEqualTo(401);
        }
    }
}
