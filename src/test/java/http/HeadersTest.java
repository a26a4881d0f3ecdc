package http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A route learns what was sent, and nothing that only looks as if it had been. */
class HeadersTest {
    /** What a route saw of one request. */
    private record Seen(HttpCall call, Map<String, Object> messageHeaders) {
        Object onMessage(String name) {
            return messageHeaders.get(name);
        }
    }

    private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();

    private final RouteBuilder look = new RouteBuilder() {
        @Override
        public void configure() {
            from("platform-http:/hooks/{name}").process(HeadersTest.this::look);
        }
    };

    private void look(Exchange exchange) {
        Map<String, Object> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(exchange.getMessage().getHeaders());
        seen.add(new Seen(HttpCall.of(exchange), headers));
    }

    private Seen whatARouteSeesOf(String path, String... headers) throws Exception {
        try (TestHub hub = TestHub.serving(look);
                RawClient client = hub.connect()) {
            assertThat(client.post(path, "x", headers).answer().status()).isEqualTo(204);
            return seen.poll(5, TimeUnit.SECONDS);
        }
    }

    @Test
    void queryParameterNeverPosesAsAHeader() throws Exception {
        Seen missing = whatARouteSeesOf("/hooks/github?X-GitHub-Event=evil&x-hub-signature-256=sha256%3Dbad");
        Seen real = whatARouteSeesOf("/hooks/github?X-GitHub-Event=evil", "X-GitHub-Event: push");

        assertThat(missing.call().header("X-GitHub-Event")).isNull();
        assertThat(missing.call().header("X-Hub-Signature-256")).isNull();
        assertThat(missing.onMessage("X-GitHub-Event")).isNull();
        assertThat(missing.onMessage("X-Hub-Signature-256")).isNull();
        assertThat(missing.call().queryParam("X-GitHub-Event")).isEqualTo("evil");
        assertThat(real.call().header("x-github-event")).isEqualTo("push");
        assertThat(real.onMessage("X-GitHub-Event")).isEqualTo("push");
    }

    @Test
    void formFieldNeverPosesAsAHeader() throws Exception {
        try (TestHub hub = TestHub.serving(look);
                RawClient client = hub.connect()) {
            client.post("/hooks/a", "X-GitHub-Event=evil", "Content-Type: application/x-www-form-urlencoded")
                    .answer();

            assertThat(seen.take().onMessage("X-GitHub-Event")).isNull();
        }
    }

    @Test
    void queryParameterThatTheEngineWasToldOfIsAHeaderWhereNoneWasSent() throws Exception {
        HttpEngine.Settings settings = new HttpEngine.Settings(4, 10, Set.of("wait"), Set.of());
        try (TestHub hub = TestHub.with().settings(settings).routes(look);
                RawClient client = hub.connect()) {
            client.get("/hooks/a?wait=7&other=1").answer();
            client.get("/hooks/a?wait=7", "Wait: 9").answer();

            Seen alone = seen.take();
            Seen besideAHeader = seen.take();
            assertThat(alone.onMessage("wait")).isEqualTo("7");
            assertThat(alone.onMessage("other")).isNull();
            assertThat(besideAHeader.onMessage("wait")).isEqualTo("9");
        }
    }

    @Test
    void nothingPosesAsCamelsOwn() throws Exception {
        Seen call = whatARouteSeesOf(
                "/hooks/a?CamelHttpPath=/evil&CamelSqlQuery=drop",
                "CamelFoo: 1",
                "camelSqlQuery: drop",
                "CAMELhttpuri: /e");

        assertThat(call.call().headers()).doesNotContainKeys("camelfoo", "camelsqlquery", "camelhttpuri");
        assertThat(call.onMessage("CamelFoo")).isNull();
        assertThat(call.onMessage("CamelSqlQuery")).isNull();
        assertThat(call.onMessage(Exchange.HTTP_URI)).isEqualTo("/hooks/a");
        assertThat(call.onMessage(Exchange.HTTP_PATH)).isEqualTo("/hooks/a");
    }

    @Test
    void callSaysWhatWasSent() throws Exception {
        HttpCall call = whatARouteSeesOf(
                        "/hooks/a%2Fb%20c+d?q=1&q=2&t=x%20y%2B", "X-Many: one", "x-many: two", "X-ONE: 1")
                .call();

        assertThat(call.method()).isEqualTo("POST");
        assertThat(call.path()).isEqualTo("/hooks/a%2Fb%20c+d");
        assertThat(call.pathParam("name")).isEqualTo("a/b c+d");
        assertThat(call.pathParam("unknown")).isNull();
        assertThat(call.queryParam("q")).isEqualTo("1");
        assertThat(call.queryParams("q")).containsExactly("1", "2");
        assertThat(call.queryParam("t")).isEqualTo("x y+");
        assertThat(call.queryParam("none")).isNull();
        assertThat(call.queryParams("none")).isEmpty();
        assertThat(call.header("X-many")).isEqualTo("one, two");
        assertThat(call.headers()).containsEntry("x-one", "1").containsEntry("host", "hub");
        assertThat(call.header("none")).isNull();
        assertThat(call.remoteAddress()).isEqualTo("127.0.0.1");
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void headerNamesHaveNoCaseInEveryVersion(HttpClient.Version version) throws Exception {
        try (TestHub hub = TestHub.serving(look)) {
            HttpClient client = HttpClient.newBuilder().version(version).build();
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + hub.port() + "/hooks/a"))
                    .header("X-HUB-Signature-256", "sha256=1")
                    .POST(HttpRequest.BodyPublishers.ofString("body"))
                    .build();

            HttpResponse<String> first = client.send(request, HttpResponse.BodyHandlers.ofString());
            HttpResponse<String> second = client.send(request, HttpResponse.BodyHandlers.ofString());

            assertThat(first.version()).isEqualTo(version);
            assertThat(first.statusCode()).isEqualTo(204);
            assertThat(second.statusCode()).isEqualTo(204);
            for (Seen each : new Seen[] {seen.take(), seen.take()}) {
                assertThat(each.call().header("x-hub-signature-256")).isEqualTo("sha256=1");
                assertThat(each.onMessage("X-Hub-Signature-256")).isEqualTo("sha256=1");
                assertThat(each.call().body()).asString().isEqualTo("body");
            }
        }
    }
}
