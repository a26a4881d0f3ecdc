package http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;

/** An answer that has no end yet. */
class StreamsTest {
    private final Source source = new Source();

    private final RouteBuilder stream = new RouteBuilder() {
        @Override
        public void configure() {
            from("platform-http:/events")
                    .setHeader(Exchange.CONTENT_TYPE, constant("text/event-stream"))
                    .process(exchange -> exchange.getMessage().setBody(source));
            from("platform-http:/hello").setBody(constant("hello"));
        }
    };

    /** Publishes what a test says, to one subscriber. */
    private static final class Source implements Flow.Publisher<Object> {
        private final AtomicLong asked = new AtomicLong();
        private final AtomicBoolean cancelled = new AtomicBoolean();
        private final AtomicInteger subscriptions = new AtomicInteger();
        private volatile Flow.Subscriber<? super Object> subscriber;

        @Override
        public void subscribe(Flow.Subscriber<? super Object> given) {
            subscriber = given;
            subscriptions.incrementAndGet();
            given.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long items) {
                    asked.addAndGet(items);
                }

                @Override
                public void cancel() {
                    cancelled.set(true);
                }
            });
        }

        /** Sends one item once it is asked for. */
        void say(Object item) {
            await().pollDelay(Duration.ZERO).until(() -> asked.get() > 0);
            asked.decrementAndGet();
            subscriber.onNext(item);
        }
    }

    @Test
    void itemsLeaveAsTheyCome() throws Exception {
        try (TestHub hub = TestHub.serving(stream);
                RawClient client = hub.connect().get("/events")) {

            RawClient.Answer head = client.head(); // before the first item
            source.say("data: \u00e4\n\n");
            byte[] text = client.chunk();
            source.say(new byte[] {1, 2});
            byte[] bytes = client.chunk();
            source.subscriber.onComplete();

            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("Content-Type")).isEqualTo("text/event-stream");
            assertThat(head.header("Transfer-Encoding")).isEqualTo("chunked");
            assertThat(text).isEqualTo("data: \u00e4\n\n".getBytes(StandardCharsets.UTF_8));
            assertThat(bytes).containsExactly(1, 2);
            assertThat(client.chunk()).isEmpty();
            assertThat(client.get("/hello").answer().body()).isEqualTo("hello");
        }
    }

    @Test
    void readerThatStopsReadingStopsItsPublisher() throws Exception {
        byte[] large = new byte[100_000];
        AtomicInteger sent = new AtomicInteger();
        try (TestHub hub = TestHub.serving(stream);
                RawClient stuck = hub.connect().get("/events")) {
            stuck.head();

            // as long as it is asked it sends; a reader that takes nothing makes the asking end
            await().during(Duration.ofMillis(500)).until(() -> {
                boolean idle = source.asked.get() == 0;
                while (source.asked.get() > 0) {
                    source.say(large);
                    sent.incrementAndGet();
                }
                return idle && sent.get() > 0;
            });
            int sentWhenStuck = sent.get();
            for (int i = 0; i < sentWhenStuck; i++) {
                assertThat(stuck.chunk()).hasSize(large.length);
            }

            await().until(() -> source.asked.get() > 0);
            assertThat(sentWhenStuck).isLessThan(1_000);
        }
    }

    @Test
    void clientThatLeavesCancelsTheSubscription() throws Exception {
        try (TestHub hub = TestHub.serving(stream)) {
            try (RawClient client = hub.connect().get("/events")) {
                client.head();
                assertThat(source.cancelled).isFalse();
            }

            await().untilTrue(source.cancelled);
        }
    }

    @Test
    void failingPublisherDoesNotLookLikeAnEnd() throws Exception {
        try (TestHub hub = TestHub.serving(stream);
                RawClient client = hub.connect().get("/events")) {
            client.head();
            source.say("one");
            client.chunk();

            source.subscriber.onError(new IllegalStateException("the source dried up"));

            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void suspendedServerEndsStreams() throws Exception {
        try (TestHub hub = TestHub.serving(stream);
                RawClient client = hub.connect().get("/events")) {
            client.head();

            hub.server().suspend();

            assertThat(client.chunk()).isEmpty();
            assertThat(source.cancelled).isTrue();
        }
    }

    @Test
    void headOfAStreamSubscribesToNothing() throws Exception {
        try (TestHub hub = TestHub.serving(stream);
                RawClient client = hub.connect().request("HEAD", "/events")) {

            RawClient.Answer head = client.answerToHead();

            assertThat(head.header("Content-Type")).isEqualTo("text/event-stream");
            assertThat(client.get("/hello").answer().body()).isEqualTo("hello");
            assertThat(source.subscriptions).hasValue(0);
        }
    }
}
