package http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import io.vertx.core.MultiMap;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A request that waits holds no thread, and is told when nobody waits for it any more. */
class ParkedCallsTest {
    private final ParkingLot lot = new ParkingLot();
    private final List<String> continuedOn = new CopyOnWriteArrayList<>();
    private final List<RawClient> clients = new ArrayList<>();

    private final RouteBuilder polls = new RouteBuilder() {
        @Override
        public void configure() {
            from("platform-http:/poll")
                    .process(lot)
                    .process(exchange -> continuedOn.add(Thread.currentThread().getName()));
            from("platform-http:/hello").setBody(constant("hello"));
        }
    };

    @AfterEach
    void leave() throws Exception {
        for (RawClient client : clients) {
            client.close();
        }
    }

    private List<RawClient> park(TestHub hub, int number) throws Exception {
        for (int i = 0; i < number; i++) {
            clients.add(hub.connect().get("/poll"));
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> lot.parked() == number);
        return clients;
    }

    @Test
    void twoThousandParkedPollsOnTwentyThreadsHoldUpNobody() throws Exception {
        try (TestHub hub = TestHub.serving(polls)) {
            park(hub, 2_000);

            try (RawClient other = hub.connect()) {
                for (int i = 0; i < 100; i++) {
                    assertThat(other.get("/hello").answer().body()).isEqualTo("hello");
                }
            }
            assertThat(lot.parked()).isEqualTo(2_000);
            lot.callAll(hub.engine().executor());

            for (RawClient client : clients) {
                assertThat(client.answer().body()).isEqualTo("called");
            }
            assertThat(continuedOn).hasSize(2_000).allMatch(thread -> thread.startsWith("http-worker-"));
            assertThat(continuedOn.stream().distinct().count()).isLessThanOrEqualTo(20);
        }
    }

    @Test
    void completionIsNeverRejectedThoughTheQueueIsShort() throws Exception {
        try (TestHub hub = TestHub.with().settings(TestHub.workers(1, 200)).routes(polls)) {
            park(hub, 100);
            hub.engine().executor().execute(() -> lot.callAll(hub.engine().executor()));

            for (RawClient client : clients) {
                assertThat(client.answer().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void clientThatVanishesIsTold() throws Exception {
        try (TestHub hub = TestHub.serving(polls)) {
            park(hub, 100);

            for (RawClient client : clients.subList(0, 90)) {
                client.close();
            }

            await().until(() -> lot.gone().size() == 90);
            assertThat(lot.gone()).containsOnly(HttpCall.Gone.CLIENT);
            assertThat(lot.toldOn()).allMatch(thread -> thread.startsWith("http-worker-"));
            assertThat(lot.parked()).isEqualTo(10);
            lot.callAll(hub.engine().executor());
            for (RawClient client : clients.subList(90, 100)) {
                assertThat(client.answer().body()).isEqualTo("called");
            }
        }
    }

    @Test
    void http2StreamThatIsResetIsToldAndItsNeighboursAreServed() throws Exception {
        try (TestHub hub = TestHub.serving(polls)) {
            HttpClient client = HttpClient.newHttpClient();
            URI base = URI.create("http://127.0.0.1:" + hub.port());
            HttpRequest hello = HttpRequest.newBuilder(base.resolve("/hello")).build();
            HttpRequest poll = HttpRequest.newBuilder(base.resolve("/poll")).build();
            HttpResponse<String> first = client.send(hello, HttpResponse.BodyHandlers.ofString());
            CompletableFuture<HttpResponse<String>> leaves =
                    client.sendAsync(poll, HttpResponse.BodyHandlers.ofString());
            await().until(() -> lot.parked() == 1);

            leaves.cancel(true);
            await().until(() -> lot.gone().size() == 1);
            HttpResponse<String> next = client.send(hello, HttpResponse.BodyHandlers.ofString());

            assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(lot.gone()).containsExactly(HttpCall.Gone.CLIENT);
            assertThat(next.body()).isEqualTo("hello");
        }
    }

    @Test
    void callThatWasAnsweredNeverHearsOfItsClient() throws Exception {
        try (TestHub hub = TestHub.serving(polls)) {
            park(hub, 2);
            lot.callAll(hub.engine().executor());
            clients.get(0).answer();
            clients.get(1).answer();

            clients.get(0).close();
            clients.get(1).close();

            await().during(Duration.ofMillis(300)).until(() -> lot.gone().isEmpty());
        }
    }

    @Test
    void listenerOfACallThatIsGoneAlreadyIsToldAtOnce() {
        HttpCall call = new HttpCall(
                new RequestHead("GET", "/poll", "/poll", "127.0.0.1", 0, false),
                TestHub.limits(1, Duration.ofSeconds(1)),
                MultiMap.caseInsensitiveMultiMap(),
                MultiMap.caseInsensitiveMultiMap(),
                Map.of(),
                new byte[0]);
        List<HttpCall.Gone> told = new ArrayList<>();
        call.onGone(told::add);

        call.leave(HttpCall.Gone.SHUTDOWN).forEach(listener -> listener.accept(HttpCall.Gone.SHUTDOWN));
        call.onGone(told::add);

        assertThat(call.leave(HttpCall.Gone.CLIENT)).isEmpty();
        assertThat(call.gone()).isEqualTo(HttpCall.Gone.SHUTDOWN);
        assertThat(told).containsExactly(HttpCall.Gone.SHUTDOWN, HttpCall.Gone.SHUTDOWN);
    }

    @Test
    void bodyOfAParkedCallIsChargedUntilItIsAnswered() throws Exception {
        AtomicInteger held = new AtomicInteger();
        BodyMeter meter = new BodyMeter() {
            @Override
            public boolean take(int bytes) {
                held.addAndGet(bytes);
                return true;
            }

            @Override
            public void giveBack() {
                held.set(0);
            }
        };
        try (TestHub hub = TestHub.with()
                        .admission(new Admission(100, Duration.ofSeconds(10), meter))
                        .routes(polls);
                RawClient client = hub.connect().post("/poll", "12345")) {
            await().until(() -> lot.parked() == 1);

            assertThat(held).hasValue(5);
            lot.callAll(hub.engine().executor());
            client.answer();

            await().untilAtomic(held, is(0));
        }
    }

    @Test
    void pipelinedAnswersKeepTheOrderOfTheirRequests() throws Exception {
        try (TestHub hub = TestHub.serving(polls);
                RawClient client = hub.connect()) {
            client.send("GET /poll HTTP/1.1\nHost: hub\n\nGET /hello HTTP/1.1\nHost: hub\n\n");
            await().until(() -> lot.parked() == 1);
            assertThat(client.hasAnswer()).isFalse();

            lot.callAll(hub.engine().executor());

            assertThat(client.answer().body()).isEqualTo("called");
            assertThat(client.answer().body()).isEqualTo("hello");
        }
    }
}
