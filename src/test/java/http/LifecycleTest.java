package http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;

/** How the server begins and ends. */
class LifecycleTest {
    private final ParkingLot lot = new ParkingLot();
    private final AtomicInteger entered = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);

    private final RouteBuilder routes = new RouteBuilder() {
        @Override
        public void configure() {
            from("platform-http:/poll").routeId("poll").process(lot);
            from("platform-http:/work")
                    .process(exchange -> {
                        entered.incrementAndGet();
                        gate.await();
                    })
                    .setBody(constant("done"));
            from("platform-http:/hello").routeId("hello").setBody(constant("hello"));
        }
    };

    @Test
    void takenPortFailsTheStartAndIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> TestHub.with().port(taken.getLocalPort()).listening())
                    .hasStackTraceContaining("HTTP cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .hasStackTraceContaining("Address already in use");
        }
    }

    @Test
    void requestBeforeTheRoutesIsToldToComeBack() throws Exception {
        try (TestHub hub = TestHub.with().listening();
                RawClient client = hub.connect()) {

            RawClient.Answer before = client.get("/hello").answer();
            hub.context().addRoutes(routes);
            hub.context().start();
            RawClient.Answer after = client.get("/hello").answer();

            assertThat(before.status()).isEqualTo(503);
            assertThat(before.header("Retry-After")).isNotNull();
            assertThat(before.body()).contains("starting");
            assertThat(after.body()).isEqualTo("hello");
            assertThat(hub.engine().getServerPort()).isEqualTo(hub.port()).isPositive();
        }
    }

    @Test
    void suspendedServerRefusesNewRequestsAndFinishesTheOthers() throws Exception {
        try (TestHub hub = TestHub.serving(routes);
                RawClient working = hub.connect().get("/work");
                RawClient parked = hub.connect().get("/poll");
                RawClient keptAlive = hub.connect()) {
            keptAlive.get("/hello").answer();
            await().until(() -> entered.get() == 1 && lot.parked() == 1);

            hub.server().suspend();
            RawClient.Answer told = parked.answer();
            RawClient.Answer onAnOldConnection = keptAlive.get("/hello").answer();
            try (RawClient late = hub.connect().get("/nowhere")) {
                RawClient.Answer onANewConnection = late.answer();
                assertThat(onANewConnection.status()).isEqualTo(503);
                assertThat(late.isClosedByServer()).isTrue();
            }
            assertThat(working.hasAnswer()).isFalse();
            gate.countDown();
            RawClient.Answer finished = working.answer();

            assertThat(told.body()).isEqualTo("gone");
            assertThat(told.header("Connection")).isEqualTo("close");
            assertThat(lot.gone()).containsExactly(HttpCall.Gone.SHUTDOWN);
            assertThat(onAnOldConnection.status()).isEqualTo(503);
            assertThat(onAnOldConnection.body()).contains("stopping");
            assertThat(onAnOldConnection.header("Retry-After")).isNotNull();
            assertThat(onAnOldConnection.header("Connection")).isEqualTo("close");
            assertThat(keptAlive.isClosedByServer()).isTrue();
            assertThat(finished.body()).isEqualTo("done");
            assertThat(entered).hasValue(1);
        }
    }

    @Test
    void pollWhoseBodyArrivesAfterTheSuspensionIsToldToo() throws Exception {
        try (TestHub hub = TestHub.serving(routes);
                RawClient slow = hub.connect()) {
            slow.request("POST", "/poll", "Content-Length: 2", "Expect: 100-continue")
                    .answer();

            hub.server().suspend();
            RawClient.Answer answer = slow.send("{}").answer();

            assertThat(answer.body()).isEqualTo("gone");
            assertThat(lot.gone()).containsExactly(HttpCall.Gone.SHUTDOWN);
        }
    }

    @Test
    void resumedServerServesAgain() throws Exception {
        try (TestHub hub = TestHub.serving(routes)) {
            hub.server().suspend();
            try (RawClient refused = hub.connect()) {
                assertThat(refused.get("/hello").answer().status()).isEqualTo(503);
            }

            hub.server().resume();

            try (RawClient client = hub.connect()) {
                assertThat(client.get("/hello").answer().body()).isEqualTo("hello");
            }
        }
    }

    @Test
    void oneSuspendedRouteRefusesAndTheOthersServe() throws Exception {
        try (TestHub hub = TestHub.serving(routes);
                RawClient parked = hub.connect().get("/poll");
                RawClient client = hub.connect()) {
            await().until(() -> lot.parked() == 1);

            hub.context().getRouteController().suspendRoute("poll");
            RawClient.Answer refused = client.get("/poll").answer();
            RawClient.Answer served = client.get("/hello").answer();

            assertThat(parked.answer().body()).isEqualTo("gone");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(served.body()).isEqualTo("hello");
        }
    }

    @Test
    void stoppingContextFinishesWhatRunsAndRefusesWhatComes() throws Exception {
        TestHub hub = TestHub.serving(routes);
        try (RawClient working = hub.connect().get("/work");
                RawClient parked = hub.connect().get("/poll");
                RawClient keptAlive = hub.connect()) {
            keptAlive.get("/hello").answer();
            await().until(() -> entered.get() == 1 && lot.parked() == 1);

            CompletableFuture<Void> stopped = CompletableFuture.runAsync(hub::close);
            RawClient.Answer told = parked.answer();
            RawClient.Answer refused = keptAlive.get("/hello").answer();
            assertThat(stopped).isNotDone();
            gate.countDown();
            RawClient.Answer finished = working.answer();

            assertThat(told.body()).isEqualTo("gone");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("stopping");
            assertThat(finished.body()).isEqualTo("done");
            assertThat(stopped).succeedsWithin(Duration.ofSeconds(20));
            assertThatThrownBy(hub::connect).isInstanceOf(java.net.ConnectException.class);
        } finally {
            gate.countDown();
            hub.close();
        }
    }
}
