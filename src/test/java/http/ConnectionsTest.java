package http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server makes of bytes that are no good request, and of more requests than it can take. */
class ConnectionsTest {
    private final AtomicInteger routed = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);

    private final RouteBuilder routes = new RouteBuilder() {
        @Override
        public void configure() {
            from("platform-http:/hello")
                    .process(exchange -> routed.incrementAndGet())
                    .setBody(constant("hello"));
            from("platform-http:/gate")
                    .process(exchange -> {
                        routed.incrementAndGet();
                        gate.await();
                    })
                    .setBody(constant("through"));
        }
    };

    @ParameterizedTest
    @ValueSource(
            strings = {
                // read in two ways by two readers, the second request would be one of them's secret
                "Content-Length: 4\nTransfer-Encoding: chunked\n\n0\n\n",
                "Transfer-Encoding: chunked\ncontent-length:4\n\n0\n\n",
                "Transfer-Encoding: gzip\n\n",
                "Transfer-Encoding: gzip, chunked\n\n0\n\n",
                "Content-Length: 4\nContent-Length: 5\n\nabcde",
                "Content-Length: 4, 5\n\nabcde",
                "Content-Length: many\n\n",
                "Content-Length: -1\n\n",
                "Content-Length: +4\n\nabcd",
                "no colon here\n\n",
            })
    void requestWithoutOneClearLengthIsRefusedAndItsConnectionEnds(String rest) throws Exception {
        try (TestHub hub = TestHub.serving(routes);
                RawClient client = hub.connect()) {
            client.send("POST /hello HTTP/1.1\nHost: hub\nContent-Type: text/plain\n" + rest);

            RawClient.Answer answer = client.answer();

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.body()).contains("invalid_request");
            assertThat(client.isClosedByServer()).isTrue();
            assertThat(routed).hasValue(0);
        }
    }

    @Test
    void chunkedRequestWithManyHeadersIsNotMistakenForOneWithALength() throws Exception {
        try (TestHub hub = TestHub.serving(routes);
                RawClient client = hub.connect()) {
            for (int round = 0; round < 3; round++) {
                client.send("POST /hello HTTP/1.1\nHost: hub\nTransfer-Encoding: chunked\nX-Empty:\nX-Tight:1\n"
                        + "Cookie: a=b\n".repeat(20) + "\n2\nab\n0\n\n");

                assertThat(client.answer().body()).isEqualTo("hello");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /%s HTTP/1.1\nHost: hub\n\n", "GET /hello HTTP/1.1\nHost: hub\nX-Large: %s\n\n"})
    void requestLineAndHeadersAreLimited(String form) throws Exception {
        try (TestHub hub = TestHub.serving(routes);
                RawClient client = hub.connect()) {

            RawClient.Answer answer =
                    client.send(form.formatted("x".repeat(17_000))).answer();

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(client.isClosedByServer()).isTrue();
            assertThat(routed).hasValue(0);
        }
    }

    @Test
    void headersUpToTheLimitPass() throws Exception {
        try (TestHub hub = TestHub.serving(routes);
                RawClient client = hub.connect()) {

            RawClient.Answer answer =
                    client.get("/hello", "X-Large: " + "x".repeat(16_000)).answer();

            assertThat(answer.status()).isEqualTo(200);
        }
    }

    @Test
    void clientThatWantsItsConnectionClosedGetsTheAnswerFirst() throws Exception {
        try (TestHub hub = TestHub.serving(routes);
                RawClient polite = hub.connect();
                RawClient old = hub.connect()) {

            assertThat(polite.get("/hello", "Connection: close").answer().body())
                    .isEqualTo("hello");
            assertThat(old.send("GET /hello HTTP/1.0\n\n").answer().body()).isEqualTo("hello");

            assertThat(polite.isClosedByServer()).isTrue();
            assertThat(old.isClosedByServer()).isTrue();
        }
    }

    @Test
    void bytesThatAreNoHttpHurtNobody() throws Exception {
        try (TestHub hub = TestHub.serving(routes);
                RawClient noise = hub.connect();
                RawClient honest = hub.connect()) {
            noise.send(new byte[] {0x16, 0x03, 0x01, 0x02, 0x00, '\n', '\r', '\n', '\r', '\n'});

            assertThat(honest.get("/hello").answer().body()).isEqualTo("hello");
        }
    }

    @Test
    void halfSentHeadDoesNotStayOpenForEver() throws Exception {
        try (TestHub hub = TestHub.with().idle(Duration.ofMillis(500)).routes(routes);
                RawClient half = hub.connect();
                RawClient silent = hub.connect();
                RawClient resting = hub.connect()) {
            half.send("POST /hello HTTP/1.1\nHost: h");
            resting.get("/hello").answer();

            assertThat(half.isClosedByServer()).isTrue();
            assertThat(silent.isClosedByServer()).isTrue();
            assertThat(resting.isClosedByServer()).isTrue();
        }
    }

    @Test
    void idleTimeIsLongerThanTheLongestPoll() {
        assertThat(HttpServer.IDLE).isGreaterThan(Duration.ofSeconds(60));
    }

    @Test
    void requestBeyondTheQueueIsRefusedAtOnceAndTheOthersAreServed() throws Exception {
        AtomicInteger admitted = new AtomicInteger();
        Doorman counting = approach -> {
            admitted.incrementAndGet();
            return TestHub.limits(10, Duration.ofSeconds(10));
        };
        try (TestHub hub = TestHub.with()
                        .settings(TestHub.workers(1, 1))
                        .doorman(counting)
                        .routes(routes);
                RawClient running = hub.connect();
                RawClient waiting = hub.connect();
                RawClient late = hub.connect()) {
            running.get("/gate");
            await().until(() -> routed.get() == 1);
            waiting.get("/gate");
            await().until(() -> admitted.get() == 2);

            RawClient.Answer refused = late.get("/hello").answer();
            gate.countDown();

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.body()).contains("overloaded");
            assertThat(running.answer().body()).isEqualTo("through");
            assertThat(waiting.answer().body()).isEqualTo("through");
            assertThat(late.get("/hello").answer().body()).isEqualTo("hello");
            assertThat(routed).hasValue(3);
        } finally {
            gate.countDown();
        }
    }

    @Test
    void largeBodyThatIsRefusedStillGetsItsAnswer() throws Exception {
        try (TestHub hub = TestHub.with()
                .admission(TestHub.limits(1_000, Duration.ofSeconds(10)))
                .routes(routes)) {
            for (int i = 0; i < 10; i++) {
                try (RawClient client = hub.connect()) {
                    client.request("POST", "/hello", "Content-Length: 20000000");
                    client.send(new byte[100_000]);

                    assertThat(client.answer().status()).isEqualTo(413);
                }
            }
        }
    }
}
