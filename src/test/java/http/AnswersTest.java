package http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import model.Refusal;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A client gets what a route chose, and nothing that only lay about on its message. */
class AnswersTest {
    /** A route at {@code /r} that does one thing with its message. */
    private static RouteBuilder answering(ThrowingRoute route) {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("platform-http:/r")
                        .routeId("the-route")
                        .errorHandler(noErrorHandler())
                        .process(exchange -> route.run(exchange));
                from("platform-http:/hello").setBody(constant("hello"));
            }
        };
    }

    private interface ThrowingRoute {
        void run(Exchange exchange) throws Exception;
    }

    private static RawClient.Answer answerOf(ThrowingRoute route, String... headers) throws Exception {
        try (TestHub hub = TestHub.serving(answering(route));
                RawClient client = hub.connect()) {
            RawClient.Answer answer = client.post("/r", "request", headers).answer();
            // whatever was answered, the connection goes on
            assertThat(client.get("/hello").answer().body()).isEqualTo("hello");
            return answer;
        }
    }

    @Test
    void bytesAreSentWithTheirLength() throws Exception {
        RawClient.Answer answer =
                answerOf(exchange -> exchange.getMessage().setBody("bytes".getBytes(StandardCharsets.UTF_8)));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Length")).isEqualTo("5");
        assertThat(answer.body()).isEqualTo("bytes");
    }

    @Test
    void textIsSentInUtf8AndNeverInChunks() throws Exception {
        RawClient.Answer answer = answerOf(exchange -> {
            exchange.getMessage().setHeader(Exchange.CONTENT_TYPE, "application/json");
            exchange.getMessage().setBody("\u00e4\u20ac\ud83d\ude00".repeat(10_000));
        });

        assertThat(answer.header("Transfer-Encoding")).isNull();
        assertThat(answer.header("Content-Length")).isEqualTo("90000");
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.body()).isEqualTo("\u00e4\u20ac\ud83d\ude00".repeat(10_000));
    }

    @Test
    void charsetThatTheRouteDeclaresIsKeptAndOneThatDoesNotExistIsHarmless() throws Exception {
        RawClient.Answer latin = answerOf(exchange -> {
            exchange.getMessage().setHeader(Exchange.CONTENT_TYPE, "text/plain; charset=ISO-8859-1");
            exchange.getMessage().setBody("\u00e4");
        });
        RawClient.Answer bogus = answerOf(exchange -> {
            exchange.getMessage().setHeader(Exchange.CONTENT_TYPE, "text/plain; charset=bogus");
            exchange.getMessage().setBody("\u00e4");
        });

        assertThat(latin.header("Content-Length")).isEqualTo("1");
        assertThat(bogus.body()).isEqualTo("\u00e4");
    }

    @Test
    void whatConvertsToBytesIsSent() throws Exception {
        RawClient.Answer answer = answerOf(exchange ->
                exchange.getMessage().setBody(new ByteArrayInputStream("stream".getBytes(StandardCharsets.UTF_8))));

        assertThat(answer.body()).isEqualTo("stream");
    }

    @Test
    void exchangeKnowsTheRouteItCameFrom() throws Exception {
        RawClient.Answer answer = answerOf(exchange -> exchange.getMessage().setBody(exchange.getFromRouteId()));

        assertThat(answer.body()).isEqualTo("the-route");
    }

    @Test
    void statusIsTheRoutesAndNothingChosenIsNoContent() throws Exception {
        RawClient.Answer accepted = answerOf(exchange -> {
            exchange.getMessage().setHeader(Exchange.HTTP_RESPONSE_CODE, 202);
            exchange.getMessage().setBody("{}");
        });
        RawClient.Answer created = answerOf(exchange -> {
            exchange.getMessage().setHeader(Exchange.HTTP_RESPONSE_CODE, "201");
            exchange.getMessage().setBody(null);
        });
        RawClient.Answer nothing = answerOf(exchange -> exchange.getMessage().setBody(null));

        assertThat(accepted.status()).isEqualTo(202);
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.header("Content-Length")).isEqualTo("0");
        assertThat(nothing.status()).isEqualTo(204);
        assertThat(nothing.header("Content-Length")).isNull();
    }

    @Test
    void nothingOfTheRequestIsEchoed() throws Exception {
        RawClient.Answer answer = answerOf(
                exchange -> {},
                "Location: http://evil",
                "Cache-Control: max-age=9",
                "Content-Type: text/evil",
                "Access-Control-Allow-Origin: *",
                "X-Secret: s",
                "Authorization: Bearer s");

        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers()).isEmpty();
    }

    @Test
    void onlyHeadersOnTheListLeave() throws Exception {
        RawClient.Answer answer = answerOf(exchange -> {
            Message message = exchange.getMessage();
            message.setHeader("Location", "/v1/todos/1");
            message.setHeader("Retry-After", 7);
            message.setHeader("Allow", List.of("GET", "POST"));
            message.setHeader("secretToken", "s");
            message.setHeader("Transfer-Encoding", "chunked");
            message.setHeader("Content-Length", "999");
            message.setBody("ok");
        });

        assertThat(answer.headers())
                .containsOnlyKeys("location", "retry-after", "allow", "content-length")
                .containsEntry("location", "/v1/todos/1")
                .containsEntry("retry-after", "7")
                .containsEntry("allow", "GET, POST")
                .containsEntry("content-length", "2");
    }

    @Test
    void lineBreakInAHeaderIsRefusedAndStartsNoHeader() throws Exception {
        RawClient.Answer answer = answerOf(exchange -> {
            exchange.getMessage().setHeader("Location", "/x\r\nSet-Cookie: evil=1");
            exchange.getMessage().setBody("ok");
        });

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body()).contains("internal");
        assertThat(answer.headers()).doesNotContainKeys("set-cookie", "location");
    }

    @Test
    void whatCannotBeSentIsAnInternalError() throws Exception {
        RawClient.Answer status =
                answerOf(exchange -> exchange.getMessage().setHeader(Exchange.HTTP_RESPONSE_CODE, 42));
        RawClient.Answer body = answerOf(exchange -> exchange.getMessage().setBody(new Object() {}));
        RawClient.Answer code =
                answerOf(exchange -> exchange.getMessage().setHeader(Exchange.HTTP_RESPONSE_CODE, "many"));

        assertThat(List.of(status.status(), body.status(), code.status())).containsOnly(500);
    }

    @Test
    void refusalOutOfARouteIsWrittenAsSuchHoweverDeepItIsWrapped() throws Exception {
        RawClient.Answer bare = answerOf(exchange -> {
            throw new Refusal(Refusal.Code.STALE_ATTEMPT, "attempt 1 is not the live one");
        });
        RawClient.Answer wrapped = answerOf(exchange -> {
            // a status chosen before the failure is not sent with it
            exchange.getMessage().setHeader(Exchange.HTTP_RESPONSE_CODE, 200);
            throw new IllegalStateException(
                    new RuntimeException(new Refusal(Refusal.Code.STALE_ATTEMPT, "attempt 1 is not the live one")));
        });

        for (RawClient.Answer answer : List.of(bare, wrapped)) {
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.body()).contains("stale_attempt");
        }
    }

    @Test
    void anyOtherExceptionIsAnInternalErrorAndOneLineInTheLog() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("http");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            RawClient.Answer answer = answerOf(exchange -> {
                throw new IllegalArgumentException("a secret detail");
            });

            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.body()).contains("internal").doesNotContain("secret detail");
            assertThat(log.list)
                    .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.getLevel()).isEqualTo(Level.ERROR);
                        assertThat(line.getFormattedMessage()).contains("POST", "/r", "the-route");
                        assertThat(line.getThrowableProxy().getMessage()).isEqualTo("a secret detail");
                    });
        } finally {
            logger.detachAppender(log);
        }
    }

    @Test
    void routeThatRolledBackNeverAnswersWithSuccess() throws Exception {
        RawClient.Answer success = answerOf(exchange -> {
            exchange.setRollbackOnly(true);
            exchange.getMessage().setBody("stored");
        });
        RawClient.Answer failure = answerOf(exchange -> {
            exchange.setRollbackOnly(true);
            exchange.getMessage().setHeader(Exchange.HTTP_RESPONSE_CODE, 409);
            exchange.getMessage().setBody("conflict");
        });

        assertThat(success.status()).isEqualTo(500);
        assertThat(failure.status()).isEqualTo(409);
        assertThat(failure.body()).isEqualTo("conflict");
    }

    @Test
    void refusalThatCannotBePutIntoWordsIsStillAnswered() throws Exception {
        RefusalWriter broken = refusal -> {
            throw new IllegalStateException("no words");
        };
        try (TestHub hub = TestHub.with().refusals(broken).routes(answering(exchange -> {}));
                RawClient client = hub.connect()) {

            assertThat(client.get("/nowhere").answer().status()).isEqualTo(500);
            assertThat(client.get("/hello").answer().body()).isEqualTo("hello");
        }
    }

    @Test
    void errorOutOfARouteIsAnsweredToo() throws Exception {
        RouteBuilder overflowing = new RouteBuilder() {
            @Override
            public void configure() {
                from("platform-http:/r").process(exchange -> {
                    throw new StackOverflowError("too deep");
                });
            }
        };
        try (TestHub hub = TestHub.serving(overflowing);
                RawClient client = hub.connect()) {
            // Camel loses count of an exchange that an Error left, and would wait for it at its end
            hub.context().getShutdownStrategy().setTimeout(1);

            RawClient.Answer answer = client.get("/r").answer();

            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.body()).contains("internal");
        }
    }

    @Test
    void headIsAnsweredAsGetWithoutTheBody() throws Exception {
        try (TestHub hub = TestHub.serving(answering(exchange -> {
                    if (HttpCall.of(exchange).method().equals("HEAD")) {
                        assertThat(exchange.getMessage().getHeader(Exchange.HTTP_METHOD))
                                .isEqualTo("GET");
                    }
                    exchange.getMessage().setBody("twelve bytes");
                }));
                RawClient client = hub.connect()) {

            RawClient.Answer found = client.request("HEAD", "/r").answerToHead();
            RawClient.Answer refused = client.request("HEAD", "/nowhere").answerToHead();
            RawClient.Answer next = client.get("/hello").answer();

            assertThat(found.status()).isEqualTo(200);
            assertThat(found.header("Content-Length")).isEqualTo("12");
            assertThat(refused.status()).isEqualTo(404);
            assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(next.body()).isEqualTo("hello");
        }
    }
}
