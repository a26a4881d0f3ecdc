package promises;

import static org.assertj.core.api.Assertions.assertThat;

import fixtures.Answer;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import hub.Hub;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What providers ask before they deliver: answered to whom it may be answered, and nothing of it is stored. Case 10. */
@Timeout(60)
class HandshakesTest {
    private static final String SECRET = "what-the-provider-shares-with-us";
    private static final String ADAPTERS = """
            adapters:
              - {name: slack, type: slack, secret: "{{env:SHARED}}"}
              - {name: zoom, type: zoom, secret: "{{env:SHARED}}"}
              - {name: meta, type: meta, secret: "{{env:SHARED}}", verify_token: made-up-by-us}
              - {name: shy, type: meta, secret: "{{env:SHARED}}"}
              - {name: x, type: x, secret: "{{env:SHARED}}"}
              - {name: discord, type: discord, secret: "{{env:DISCORD_KEY}}"}
              - {name: graph, type: ms-graph, secret: "{{env:SHARED}}"}
              - {name: github, type: github, secret: "{{env:SHARED}}"}
              - {name: off, type: meta, verify_token: made-up-by-us}
              - {name: notion, type: notion, secret: "{{env:NOT_YET}}", verification_token_file: "{{FILE}}"}
            """;

    @AutoClose
    private static final DurableDatabase DATABASE = DurableDatabase.create();

    @TempDir
    private static Path folder;

    private static KeyPair discord;
    private static Hub hub;

    @BeforeAll
    static void startHub() throws GeneralSecurityException {
        discord = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        byte[] key = discord.getPublic().getEncoded();
        hub = Hub.start(HubHome.in(folder)
                .database(DATABASE.url())
                .adapters(ADAPTERS.replace(
                        "{{FILE}}", folder.resolve("notion.token").toString()))
                .variable("SHARED", SECRET)
                .variable("DISCORD_KEY", HexFormat.of().formatHex(key, key.length - 32, key.length))
                .config());
    }

    @AfterAll
    static void stopHub() {
        hub.close();
    }

    @AfterEach
    void nothingIsStored() {
        assertThat(DATABASE.value("SELECT count(*) FROM events")).isEqualTo(0L);
        assertThat(DATABASE.value("SELECT count(*) FROM todos")).isEqualTo(0L);
    }

    private static HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(hub.uri() + "/webhooks/" + path))
                .header("Content-Type", "application/json");
    }

    private static Answer slack(String body, String secret) {
        String now = Long.toString(Instant.now().getEpochSecond());
        return Answer.to(to("slack")
                .header("X-Slack-Request-Timestamp", now)
                .header("X-Slack-Signature", "v0=" + hex(hmac(secret, "v0:" + now + ":" + body)))
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    @Test
    void slackHearsItsChallengeWhenItSigned() {
        String question = "{\"token\":\"t\",\"challenge\":\"3eZbrw1aB10g\\u00fc\\\"\",\"type\":\"url_verification\"}";

        Answer answer = slack(question, SECRET);
        Answer forged = slack(question, "another");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("challenge").asText()).isEqualTo("3eZbrw1aB10gü\"");
        assertThat(forged.status()).isEqualTo(401);
        assertThat(forged.text()).doesNotContain("3eZbrw1aB10g");
    }

    @Test
    void zoomHearsItsTokenEncryptedWhenItSigned() {
        String question =
                "{\"event\":\"endpoint.url_validation\",\"payload\":{\"plainToken\":\"qgg8vlvZRS6UYooatFL8Aw\"}}";
        String now = Long.toString(Instant.now().getEpochSecond());
        HttpRequest.Builder unsigned =
                to("zoom").header("x-zm-request-timestamp", now).POST(HttpRequest.BodyPublishers.ofString(question));

        Answer refused = Answer.to(unsigned.copy());
        Answer answer =
                Answer.to(unsigned.header("x-zm-signature", "v0=" + hex(hmac(SECRET, "v0:" + now + ":" + question))));

        assertThat(refused.status()).isEqualTo(401);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("plainToken").asText()).isEqualTo("qgg8vlvZRS6UYooatFL8Aw");
        assertThat(answer.body().path("encryptedToken").asText())
                .isEqualTo(hex(hmac(SECRET, "qgg8vlvZRS6UYooatFL8Aw")));
    }

    @Test
    void metaHearsItsChallengeWhenItKnowsTheToken() {
        String question = "?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=";

        Answer answer = Answer.to(to("meta" + question + "made-up-by-us").GET());
        Answer stranger = Answer.to(to("meta" + question + "guessed").GET());

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("1158201444");
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
        assertThat(stranger.status()).isEqualTo(403);
        assertThat(stranger.text()).contains("token_mismatch").doesNotContain("1158201444");
        assertThat(Answer.to(to("shy" + question + "made-up-by-us").GET()).status())
                .as("without a verify_token nobody subscribes")
                .isEqualTo(405);
    }

    @Test
    void challengesNeverBecomeAPage() {
        String page = URLEncoder.encode("<script>alert(1)</script>", StandardCharsets.UTF_8);

        Answer answer = Answer.to(to("graph?validationToken=" + page).POST(HttpRequest.BodyPublishers.noBody()));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("<script>alert(1)</script>");
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%0D%0ASet-Cookie:%20x=1", "%00"})
    void challengesThatAreNoneAreRefused(String token) {
        Answer answer = Answer.to(to("graph?validationToken=" + token + "x".repeat(token.isEmpty() ? 2_049 : 1))
                .POST(HttpRequest.BodyPublishers.noBody()));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("invalid_request");
    }

    @Test
    void xHearsAnHmacOfItsToken() {
        Answer answer = Answer.to(to("x?crc_token=ZWNob21lYmFjay1zb21ldGhpbmc").GET());

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("response_token").asText())
                .isEqualTo("sha256=" + Base64.getEncoder().encodeToString(hmac(SECRET, "ZWNob21lYmFjay1zb21ldGhpbmc")));
    }

    /** The key that answers questions signs deliveries too, so nobody may have a delivery answered. */
    @Test
    void questionsOfXAreNoOracleForDeliveries() {
        String delivery = URLEncoder.encode("{\"tweet_create_events\":[]}", StandardCharsets.UTF_8);
        String token = "ZWNob21lYmFjay1zb21ldGhpbmc";

        Answer oracle = Answer.to(to("x?crc_token=" + delivery).GET());
        Answer replayed = Answer.to(to("x").header(
                        "x-twitter-webhooks-signature",
                        "sha256=" + Base64.getEncoder().encodeToString(hmac(SECRET, token)))
                .POST(HttpRequest.BodyPublishers.ofString(token)));

        assertThat(oracle.status()).isEqualTo(400);
        assertThat(replayed.status()).isEqualTo(400);
    }

    @Test
    void discordIsPongedWhenItSigned() throws GeneralSecurityException {
        String ping = "{\"id\":\"1\",\"type\":1,\"token\":\"t\"}";
        String now = Long.toString(Instant.now().getEpochSecond());
        Signature signer = Signature.getInstance("Ed25519");
        signer.initSign(discord.getPrivate());
        signer.update((now + ping).getBytes(StandardCharsets.UTF_8));
        HttpRequest.Builder request =
                to("discord").header("X-Signature-Timestamp", now).POST(HttpRequest.BodyPublishers.ofString(ping));

        Answer forged = Answer.to(request.copy().header("X-Signature-Ed25519", "00".repeat(64)));
        Answer answer = Answer.to(request.header("X-Signature-Ed25519", hex(signer.sign())));

        assertThat(forged.status()).isEqualTo(401);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("{\"type\":1}");
    }

    @Test
    void tokenOfNotionIsKeptOnceAndNothingElseGetsIn() throws Exception {
        Path file = folder.resolve("notion.token");
        HttpRequest.Builder question = to("notion")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"verification_token\":\"secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl\"}"));

        Answer delivery = Answer.to(to("notion").POST(HttpRequest.BodyPublishers.ofString("{\"id\":\"1\"}")));
        Answer kept = Answer.to(question);
        Answer another = Answer.to(to("notion")
                .POST(HttpRequest.BodyPublishers.ofString("{\"verification_token\":\"secret_of-a-stranger\"}")));

        assertThat(delivery.status()).isEqualTo(404);
        assertThat(kept.status()).isEqualTo(200);
        assertThat(another.status()).isEqualTo(409);
        assertThat(file).hasContent("secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Answer.toGet(hub.uri().resolve("/health/ready"))
                        .body()
                        .path("status")
                        .asText())
                .isEqualTo("degraded");
    }

    @Test
    void whoAsksNothingIsToldHowDeliveriesCome() {
        Answer answer = Answer.to(to("github").GET());

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow")).contains("POST");
        assertThat(Answer.to(to("nobody?hub.mode=subscribe").GET()).status()).isEqualTo(404);
        assertThat(Answer.to(to("off?hub.mode=subscribe&hub.challenge=1&hub.verify_token=made-up-by-us")
                                .GET())
                        .status())
                .isEqualTo(404);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] hmac(String secret, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
