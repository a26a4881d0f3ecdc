package http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bytes that a sender sent are the bytes that a route gets, within their limits. */
class BodiesTest {
    private final AtomicInteger routed = new AtomicInteger();

    /** Answers with the SHA-256 and the length of the body that the route saw. */
    private final RouteBuilder digest = new RouteBuilder() {
        @Override
        public void configure() {
            from("platform-http:/hooks/{name}?httpMethodRestrict=POST").process(BodiesTest.this::answerDigest);
            from("platform-http:/hello").setBody(constant("hello"));
        }
    };

    private void answerDigest(Exchange exchange) throws Exception {
        routed.incrementAndGet();
        byte[] onMessage = exchange.getMessage().getBody(byte[].class);
        assertThat(HttpCall.of(exchange).body()).isSameAs(onMessage);
        exchange.getMessage().setBody(sha256(onMessage));
    }

    private static String sha256(byte[] bytes) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
        return HexFormat.of().formatHex(digest) + " " + bytes.length;
    }

    private static byte[] randomBytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static byte[] chunked(byte[] body, int chunkSize) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int from = 0; from < body.length; from += chunkSize) {
            int size = Math.min(chunkSize, body.length - from);
            out.writeBytes((Integer.toHexString(size) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            out.write(body, from, size);
            out.writeBytes("\r\n".getBytes(StandardCharsets.ISO_8859_1));
        }
        out.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        return out.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, '{ \"a\" : \"\\u00e4\" }'",
        "application/x-www-form-urlencoded, payload=%7B%22a%22%3A1%7D&b=1+2",
        "application/x-www-form-urlencoded, '{\"a\":1}'",
        "application/json; charset=bogus, '{}'",
        "not a media type, x",
    })
    void bytesAreIntactWhateverTheContentType(String contentType, String body) throws Exception {
        try (TestHub hub = TestHub.serving(digest);
                RawClient client = hub.connect()) {

            RawClient.Answer answer = client.post("/hooks/a", body, "Content-Type: " + contentType)
                    .answer();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(sha256(body.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void multipartIsNotTakenApart() throws Exception {
        String body =
                "--cut\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.bin\"\r\n\r\n\u0001\u0002\r\n--cut--\r\n";
        try (TestHub hub = TestHub.serving(digest);
                RawClient client = hub.connect()) {

            RawClient.Answer answer = client.post("/hooks/a", body, "Content-Type: multipart/form-data; boundary=cut")
                    .answer();

            assertThat(answer.body()).isEqualTo(sha256(body.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void compressedBodyIsNotInflated() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("{\"a\":1}".getBytes(StandardCharsets.UTF_8));
        }
        try (TestHub hub = TestHub.serving(digest);
                RawClient client = hub.connect()) {

            RawClient.Answer answer = client.post("/hooks/a", packed.toByteArray(), "Content-Encoding: gzip")
                    .answer();

            assertThat(answer.body()).isEqualTo(sha256(packed.toByteArray()));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1023, 7", "1024, 1024", "100000, 8191", "1048576, 65536"})
    void binaryBodiesOfAnySizeAreIntactWithALengthAndInChunks(int size, int chunkSize) throws Exception {
        byte[] body = randomBytes(size);
        try (TestHub hub = TestHub.serving(digest);
                RawClient client = hub.connect()) {

            RawClient.Answer withLength = client.post("/hooks/a", body).answer();
            RawClient.Answer inChunks = client.request("POST", "/hooks/a", "Transfer-Encoding: chunked")
                    .send(chunked(body, chunkSize))
                    .answer();

            assertThat(withLength.body()).isEqualTo(sha256(body));
            assertThat(inChunks.body()).isEqualTo(sha256(body));
        }
    }

    @Test
    void noBodyIsAnEmptyBody() throws Exception {
        try (TestHub hub = TestHub.serving(digest);
                RawClient client = hub.connect()) {

            RawClient.Answer lengthZero = client.post("/hooks/a", "").answer();
            RawClient.Answer nothingSaid = client.request("POST", "/hooks/a").answer();
            RawClient.Answer noChunk = client.request("POST", "/hooks/a", "Transfer-Encoding: chunked")
                    .send("0\n\n")
                    .answer();

            assertThat(List.of(lengthZero.body(), nothingSaid.body(), noChunk.body()))
                    .containsOnly(sha256(new byte[0]));
        }
    }

    @Test
    void clientThatAsksFirstIsToldToContinue() throws Exception {
        try (TestHub hub = TestHub.serving(digest);
                RawClient client = hub.connect()) {
            client.request("POST", "/hooks/a", "Content-Length: 4", "Expect: 100-continue");

            RawClient.Answer interim = client.answer();
            RawClient.Answer answer = client.send("abcd").answer();

            assertThat(interim.status()).isEqualTo(100);
            assertThat(answer.body()).isEqualTo(sha256("abcd".getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void clientThatAsksFirstIsRefusedBeforeItSendsATooLargeBody() throws Exception {
        try (TestHub hub = TestHub.with()
                        .admission(TestHub.limits(10, Duration.ofSeconds(10)))
                        .routes(digest);
                RawClient client = hub.connect()) {

            RawClient.Answer answer = client.request("POST", "/hooks/a", "Content-Length: 11", "Expect: 100-continue")
                    .answer();

            assertThat(answer.status()).isEqualTo(413);
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void announcedLengthOverTheLimitIsRefusedBeforeTheFirstByte() throws Exception {
        try (TestHub hub = TestHub.with()
                        .admission(TestHub.limits(100_000, Duration.ofSeconds(10)))
                        .routes(digest);
                RawClient client = hub.connect()) {

            RawClient.Answer answer =
                    client.request("POST", "/hooks/a", "Content-Length: 100001").answer();

            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.body()).contains("body_too_large");
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(client.isClosedByServer()).isTrue();
            assertThat(routed).hasValue(0);
        }
    }

    @Test
    void chunkedBodyIsReadUpToTheLimitAndNoFurther() throws Exception {
        byte[] fits = randomBytes(100_000);
        try (TestHub hub = TestHub.with()
                        .admission(TestHub.limits(100_000, Duration.ofSeconds(10)))
                        .routes(digest);
                RawClient exact = hub.connect();
                RawClient endless = hub.connect()) {

            RawClient.Answer accepted = exact.request("POST", "/hooks/a", "Transfer-Encoding: chunked")
                    .send(chunked(fits, 5_000))
                    .answer();
            endless.request("POST", "/hooks/a", "Transfer-Encoding: chunked").send("186A1\n");
            RawClient.Answer refused = endless.send(randomBytes(100_001)).answer();

            assertThat(accepted.body()).isEqualTo(sha256(fits));
            assertThat(refused.status()).isEqualTo(413);
            assertThat(endless.isClosedByServer()).isTrue();
            assertThat(routed).hasValue(1);
        }
    }

    @Test
    void http2BodyOverTheLimitIsRefusedAndItsConnectionGoesOn() throws Exception {
        try (TestHub hub = TestHub.with()
                .idle(Duration.ofSeconds(2))
                .admission(TestHub.limits(100_000, Duration.ofSeconds(10)))
                .routes(digest)) {
            HttpClient client = HttpClient.newHttpClient();
            URI base = URI.create("http://127.0.0.1:" + hub.port());
            HttpRequest hello = HttpRequest.newBuilder(base.resolve("/hello")).build();
            client.send(hello, HttpResponse.BodyHandlers.ofString());
            for (HttpRequest.BodyPublisher body : List.of(
                    HttpRequest.BodyPublishers.ofByteArray(randomBytes(1_000_000)),
                    HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(randomBytes(1_000_000))))) {

                HttpResponse<String> refused = client.send(
                        HttpRequest.newBuilder(base.resolve("/hooks/a"))
                                .POST(body)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                HttpResponse<String> next = client.send(hello, HttpResponse.BodyHandlers.ofString());

                assertThat(refused.version()).isEqualTo(HttpClient.Version.HTTP_2);
                assertThat(refused.statusCode()).isEqualTo(413);
                assertThat(refused.body()).contains("body_too_large");
                assertThat(next.body()).isEqualTo("hello");
            }
            assertThat(routed).hasValue(0);
        }
    }

    @Test
    void smallRefusedBodyLeavesTheConnectionUsable() throws Exception {
        try (TestHub hub = TestHub.serving(digest);
                RawClient client = hub.connect()) {

            RawClient.Answer refused = client.post("/nowhere", "a small body").answer();
            RawClient.Answer next = client.get("/hello").answer();

            assertThat(refused.status()).isEqualTo(404);
            assertThat(next.body()).isEqualTo("hello");
        }
    }

    @Test
    void bodyThatDoesNotComeIsTimedOutWhileOthersAreServed() throws Exception {
        Doorman impatient = approach -> TestHub.limits(1000, Duration.ofMillis(600));
        try (TestHub hub = TestHub.with().doorman(impatient).routes(digest);
                RawClient silent = hub.connect();
                RawClient other = hub.connect()) {
            silent.request("POST", "/hooks/a", "Content-Length: 10").send("1234");

            RawClient.Answer meanwhile = other.get("/hello").answer();
            boolean answeredAlready = silent.hasAnswer();
            RawClient.Answer late = silent.answer();

            assertThat(meanwhile.body()).isEqualTo("hello");
            assertThat(answeredAlready).isFalse();
            assertThat(late.status()).isEqualTo(408);
            assertThat(late.body()).contains("body_timeout");
            assertThat(silent.isClosedByServer()).isTrue();
            assertThat(routed).hasValue(0);
        }
    }

    @Test
    void bodyThatDripsIsTimedOutAsAWhole() throws Exception {
        Doorman impatient = approach -> TestHub.limits(1000, Duration.ofMillis(600));
        try (TestHub hub = TestHub.with().doorman(impatient).routes(digest);
                RawClient dripping = hub.connect()) {
            dripping.request("POST", "/hooks/a", "Content-Length: 1000");

            await().pollInterval(Duration.ofMillis(100)).until(() -> {
                dripping.send("x");
                return dripping.hasAnswer();
            });

            assertThat(dripping.answer().status()).isEqualTo(408);
            assertThat(routed).hasValue(0);
        }
    }

    @Test
    void bytesAreChargedAsTheyArriveAndGivenBackOnce() throws Exception {
        Budget budget = new Budget(1_000);
        AtomicInteger admitted = new AtomicInteger();
        Doorman counting = approach -> {
            admitted.incrementAndGet();
            return new Admission(25 << 20, Duration.ofSeconds(30), budget);
        };
        List<RawClient> silent = new ArrayList<>();
        try (TestHub hub = TestHub.with().doorman(counting).routes(digest)) {
            // fifty senders announce 25 MiB each and send nothing
            for (int i = 0; i < 50; i++) {
                silent.add(hub.connect().request("POST", "/hooks/a", "Content-Length: " + (25 << 20)));
            }
            await().until(() -> admitted.get() == 50);

            try (RawClient honest = hub.connect()) {
                assertThat(honest.post("/hooks/a", randomBytes(900)).answer().status())
                        .isEqualTo(200);
            }

            await().until(() -> budget.givenBack() == 1);
            for (RawClient client : silent) {
                client.close();
            }
            await().until(() -> budget.givenBack() == 51);
            assertThat(budget.taken()).isEqualTo(900);
        }
    }

    @Test
    void bytesBeyondTheBudgetAreRefusedAndGivenBack() throws Exception {
        Budget budget = new Budget(1_000);
        try (TestHub hub = TestHub.with()
                        .admission(new Admission(25 << 20, Duration.ofSeconds(30), budget))
                        .routes(digest);
                RawClient client = hub.connect()) {
            client.request("POST", "/hooks/a", "Content-Length: 2000").send(randomBytes(800));
            await().until(() -> budget.taken() == 800);

            RawClient.Answer answer = client.send(randomBytes(400)).answer();

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Retry-After")).isEqualTo("1");
            assertThat(answer.body()).contains("overloaded");
            assertThat(routed).hasValue(0);
            await().until(() -> budget.givenBack() == 1);
        }
    }

    @Test
    void everyAdmissionIsGivenBackHoweverItEnds() throws Exception {
        Budget budget = new Budget(Integer.MAX_VALUE);
        try (TestHub hub = TestHub.with()
                .admission(new Admission(10, Duration.ofMillis(400), budget))
                .routes(digest)) {
            try (RawClient client = hub.connect()) {
                client.post("/hooks/a", "ok").answer();
                client.get("/hooks/a").answer();
                client.get("/nowhere").answer();
                client.get("/hello").answer();
            }
            try (RawClient tooLarge = hub.connect()) {
                tooLarge.post("/hooks/a", "12345678901").answer();
            }
            try (RawClient slow = hub.connect()) {
                slow.request("POST", "/hooks/a", "Content-Length: 5").answer();
            }
            try (RawClient vanishing = hub.connect()) {
                vanishing.request("POST", "/hooks/a", "Content-Length: 5").send("12");
                await().until(() -> budget.taken() == 4);
            }
            try (RawClient garbling = hub.connect()) {
                garbling.request("POST", "/hooks/a", "Transfer-Encoding: chunked")
                        .send("no number\n");
                assertThat(garbling.isClosedByServer()).isTrue();
            }

            await().during(Duration.ofMillis(500)).until(() -> budget.givenBack() == 8);
            assertThat(routed).hasValue(1);
        }
    }

    /** Counts what is taken and how often it is given back. */
    private static final class Budget implements BodyMeter {
        private final int limit;
        private final AtomicInteger taken = new AtomicInteger();
        private final AtomicInteger givenBack = new AtomicInteger();

        Budget(int limit) {
            this.limit = limit;
        }

        @Override
        public boolean take(int bytes) {
            if (taken.get() + bytes > limit) {
                return false;
            }
            taken.addAndGet(bytes);
            return true;
        }

        @Override
        public void giveBack() {
            givenBack.incrementAndGet();
        }

        int taken() {
            return taken.get();
        }

        int givenBack() {
            return givenBack.get();
        }
    }
}
