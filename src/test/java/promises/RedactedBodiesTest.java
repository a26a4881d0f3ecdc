package promises;

import static org.assertj.core.api.Assertions.assertThat;

import fixtures.Answer;
import fixtures.Deliveries;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.Operator;
import hub.Hub;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an adapter hides reaches no agent, no title and no key; the record stays exact unless it is told otherwise. */
@Timeout(60)
class RedactedBodiesTest {
    private static final String BODY = "{\"customer\": {\"name\": \"Ada\", \"card\": \"4111-1111\"}, \"n\": 1.50}";

    @AutoClose
    private static final DurableDatabase DATABASE = DurableDatabase.create();

    @TempDir
    private static Path folder;

    private static Hub hub;

    @BeforeAll
    static void startHub() {
        hub = Hub.start(
                HubHome.in(folder).database(DATABASE.url()).adapters("""
                        adapters:
                          - name: shown
                            type: github
                            secret: "{{env:GITHUB_WEBHOOK_SECRET}}"
                            redact: {headers: [X-Customer], body: [/customer/card]}
                            todos: [{queue: shown, title: "{payload.customer.name} {payload.customer.card}", key: "{payload.customer.card}"}]
                          - name: stored
                            type: github
                            secret: "{{env:GITHUB_WEBHOOK_SECRET}}"
                            redact: {body: [/customer/card]}
                            redact_stored: true
                        """).config());
    }

    @AfterAll
    static void stopHub() {
        hub.close();
    }

    private static Map<String, Object> delivered(String adapter) {
        Answer answer = Deliveries.signedBy(adapter)
                .body(BODY)
                .header("X-Customer", "ada@example.com")
                .sendTo(hub.uri());
        assertThat(answer.status()).isEqualTo(202);
        return DATABASE.query("SELECT e.*, t.title, t.idempotency_key, t.id AS todo FROM events e JOIN todos t"
                        + " ON t.event_id = e.id WHERE e.id = " + answer.eventId())
                .get(0);
    }

    private static String stored(Map<String, Object> event) {
        return new String((byte[]) event.get("payload"), StandardCharsets.UTF_8);
    }

    @Test
    void agentsAndTitlesSeeNothingAndTheRecordIsExact() {
        Map<String, Object> event = delivered("shown");
        Operator operator = Operator.of(hub.uri());

        Answer claimed = operator.post("/v1/claim", "{\"queues\":[\"shown\"]}");
        Answer todo = operator.get("/v1/todos/" + event.get("todo"));

        assertThat(stored(event)).isEqualTo(BODY);
        assertThat(event.get("title")).isEqualTo("Ada «redacted»");
        assertThat(event.get("idempotency_key").toString()).doesNotContain("4111");
        assertThat(event.get("headers").toString()).doesNotContain("ada@example.com");
        assertThat(event.get("verify_detail").toString()).doesNotContain("stored redacted");
        for (Answer answer : new Answer[] {claimed, todo}) {
            assertThat(answer.text()).contains("\"n\":1.50").doesNotContain("4111-1111");
        }
        assertThat(operator.get("/v1/events/" + event.get("id") + "/payload").text())
                .as("the record, for who may read events")
                .isEqualTo(BODY);
    }

    @Test
    void recordWithoutItSaysSoAndIsStillVerified() {
        Map<String, Object> event = delivered("stored");

        assertThat(stored(event)).contains("Ada").contains("1.50").doesNotContain("4111-1111");
        assertThat(event.get("verified")).isEqualTo(true);
        assertThat(event.get("verify_detail").toString()).endsWith("; stored redacted");
    }
}
