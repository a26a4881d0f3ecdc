package promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.Answer;
import fixtures.Deliveries;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import hub.Hub;
import hub.HubConfig;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is beyond an adapter's limits is refused before its body is read, and nothing of it stored. */
@Timeout(60)
class TurnstileTest {
    private static final String ADAPTERS = """
            adapters:
              - {name: narrow, type: github, secret: "{{env:GITHUB_WEBHOOK_SECRET}}", limits: {concurrency: 2}, body_timeout: 2s}
              - {name: slow, type: github, secret: "{{env:GITHUB_WEBHOOK_SECRET}}", limits: {rate: 3/m}}
              - {name: fair, type: github, secret: "{{env:GITHUB_WEBHOOK_SECRET}}", limits: {rate_per_address: 1/m, burst_per_address: 2}}
              - {name: picky, type: github, secret: "{{env:GITHUB_WEBHOOK_SECRET}}", allow: [192.0.2.0/24, "2001:db8::/32"]}
              - {name: twilio, type: twilio, secret: "{{env:GITHUB_WEBHOOK_SECRET}}"}
            """;

    @AutoClose
    private static final DurableDatabase DATABASE = DurableDatabase.create();

    @TempDir
    private static Path folder;

    private static Hub hub;

    @BeforeAll
    static void startHub() {
        hub = Hub.start(HubHome.in(folder)
                .database(DATABASE.url())
                .adapters(ADAPTERS)
                .set(HubConfig.Key.TRUSTED_PROXIES, "127.0.0.1")
                .config());
    }

    @AfterAll
    static void stopHub() {
        hub.close();
    }

    @BeforeEach
    void startEmpty() {
        DATABASE.execute("TRUNCATE events, event_keys, todos");
    }

    private static Answer from(String address, String adapter) {
        return Deliveries.signedBy(adapter).header("X-Forwarded-For", address).sendTo(hub.uri());
    }

    private static Socket halfSent(String adapter) throws Exception {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), hub.uri().getPort());
        socket.getOutputStream()
                .write(("POST /webhooks/" + adapter + " HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n1234")
                        .getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return socket;
    }

    @Test
    void placesAreGivenBackHoweverADeliveryEnds() throws Exception {
        List<Socket> halfSent = new ArrayList<>();
        halfSent.add(halfSent("narrow"));
        halfSent.add(halfSent("narrow"));
        await().until(() -> Deliveries.signedBy("narrow").sendTo(hub.uri()).status() == 429);

        Answer beyond = Deliveries.signedBy("narrow").sendTo(hub.uri());
        assertThat(beyond.body().path("code").asText()).isEqualTo("rate_limited");
        assertThat(beyond.headers().firstValue("Retry-After")).contains("1");

        // one vanishes, the other times out
        halfSent.get(0).close();
        await().until(() -> Deliveries.signedBy("narrow").sendTo(hub.uri()).status() == 202);
        try (Socket late = halfSent.get(1)) {
            assertThat(new String(late.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1))
                    .isEqualTo("HTTP/1.1 408");
        }
        // refused and accepted ones have given theirs back too
        for (int i = 0; i < 5; i++) {
            assertThat(Deliveries.signedBy("narrow")
                            .tampered()
                            .sendTo(hub.uri())
                            .status())
                    .isEqualTo(401);
            assertThat(Deliveries.signedBy("narrow")
                            .withId("again")
                            .sendTo(hub.uri())
                            .accepted())
                    .isTrue();
        }
    }

    @Test
    void rateOfAnAdapterIsOfAllItsSenders() {
        for (int i = 0; i < 3; i++) {
            assertThat(from("198.51.100." + i, "slow").status()).isEqualTo(202);
        }

        Answer beyond = from("198.51.100.99", "slow");

        assertThat(beyond.status()).isEqualTo(429);
        assertThat(Integer.parseInt(beyond.headers().firstValue("Retry-After").orElseThrow()))
                .isBetween(15, 20);
        assertThat(DATABASE.count("SELECT count(*) FROM events")).isEqualTo(3);
    }

    @Test
    void rateOfAnAddressIsItsOwn() {
        assertThat(List.of(
                        from("198.51.100.7", "fair").status(),
                        from("198.51.100.7", "fair").status(),
                        from("198.51.100.7", "fair").status(),
                        from("198.51.100.8", "fair").status()))
                .containsExactly(202, 202, 429, 202);
        assertThat(List.of(
                        from("2001:db8:1:1::1", "fair").status(),
                        from("2001:db8:1:1::2", "fair").status(),
                        from("2001:db8:1:1::3", "fair").status(),
                        from("2001:db8:1:2::1", "fair").status()))
                .containsExactly(202, 202, 429, 202);
    }

    @Test
    void onlyWhoIsAllowedDelivers() {
        Answer stranger = from("198.51.100.7", "picky");

        assertThat(stranger.status()).isEqualTo(403);
        assertThat(stranger.body().path("code").asText()).isEqualTo("address_not_allowed");
        assertThat(DATABASE.count("SELECT count(*) FROM events")).isZero();
        assertThat(from("192.0.2.77", "picky").status()).isEqualTo(202);
        assertThat(from("2001:db8:ffff::1", "picky").status()).isEqualTo(202);
        assertThat(from("192.0.2.77, 198.51.100.7", "picky").status()).isEqualTo(403);
        assertThat(DATABASE.query("SELECT host(source_ip) AS ip FROM events"))
                .extracting(row -> row.get("ip"))
                .containsExactlyInAnyOrder("192.0.2.77", "2001:db8:ffff::1");
    }

    /** Case 11: what Twilio signs is the address that it called, which is the proxy's. */
    @Test
    void schemesThatSignTheAddressKnowTheOneBehindAProxy() throws Exception {
        String form = "MessageSid=SM1&MessageStatus=sent&Body=Hall%C3%B6chen+du";
        String signed =
                "https://hooks.example.com/webhooks/twilio?x=%20yBodyHallöchen duMessageSidSM1MessageStatussent";
        javax.crypto.Mac mac = javax.crypto.Mac.getInstance("HmacSHA1");
        mac.init(new javax.crypto.spec.SecretKeySpec(
                HubHome.GITHUB_SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA1"));
        String signature =
                java.util.Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        Deliveries delivery = Deliveries.signedBy("twilio")
                .to("/webhooks/twilio?x=%20y")
                .contentType("application/x-www-form-urlencoded")
                .body(form)
                .header("X-Twilio-Signature", signature)
                .header("X-Forwarded-Proto", "https");

        Answer answer = delivery.header("X-Forwarded-Host", "hooks.example.com").sendTo(hub.uri());
        Answer elsewhere =
                delivery.header("X-Forwarded-Host", "other.example.com").sendTo(hub.uri());

        assertThat(new com.twilio.security.RequestValidator(HubHome.GITHUB_SECRET)
                        .validate(
                                "https://hooks.example.com/webhooks/twilio?x=%20y",
                                java.util.Map.of("MessageSid", "SM1", "MessageStatus", "sent", "Body", "Hallöchen du"),
                                signature))
                .as("Twilio's own library agrees")
                .isTrue();
        assertThat(answer.status()).as(answer.text()).isEqualTo(202);
        assertThat(DATABASE.query("SELECT external_id, verified FROM events"))
                .singleElement()
                .satisfies(row ->
                        assertThat(row).containsEntry("external_id", "SM1:sent").containsEntry("verified", true));
        assertThat(elsewhere.status()).isEqualTo(401);
    }
}
