package http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import model.Refusal;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which route serves a request, and what is said when none does. */
class RoutingTest {
    private final RouteBuilder paths = new RouteBuilder() {
        @Override
        public void configure() {
            // the least specific first: the order of registration must not matter
            from("platform-http:/files?matchOnUriPrefix=true").setBody(constant("prefix"));
            from("platform-http:/files/*").setBody(constant("star"));
            from("platform-http:/files/{name}?httpMethodRestrict=GET").setBody(constant("parameter"));
            from("platform-http:/files/{name}.json?httpMethodRestrict=GET").setBody(simple("part ${header.name}"));
            from("platform-http:/files/readme?httpMethodRestrict=GET").setBody(constant("literal"));
            from("platform-http:/todos/{id}?httpMethodRestrict=GET,DELETE").setBody(constant("todo"));
            from("platform-http:/todos/{id}?httpMethodRestrict=PATCH&consumes=application/json,text/*")
                    .setBody(constant("patched"));
        }
    };

    private static RawClient.Answer answer(TestHub hub, String method, String path) throws Exception {
        try (RawClient client = hub.connect()) {
            return client.request(method, path).answer();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/files/readme, literal",
        "/files/readme/, literal",
        "/files/./x/../readme, literal",
        "/files/read%6De, literal",
        "/files/other, parameter",
        "/files/a%2Fb, parameter",
        "/files/a.json, part a",
        "/files/a/b/c, prefix",
        "/files, prefix",
    })
    void mostSpecificPathWins(String path, String expected) throws Exception {
        try (TestHub hub = TestHub.serving(paths)) {
            assertThat(answer(hub, "GET", path).body()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"/nowhere", "/", "/filesystem", "/todos", "/todos/1/more"})
    void unknownPathIsAProblem(String path) throws Exception {
        try (TestHub hub = TestHub.serving(paths)) {

            RawClient.Answer answer = answer(hub, "GET", path);

            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.body()).contains("not_found");
        }
    }

    @Test
    void otherMethodIsRefusedWithEveryMethodOfThePath() throws Exception {
        try (TestHub hub = TestHub.serving(paths)) {

            RawClient.Answer refused = answer(hub, "PUT", "/todos/1");
            RawClient.Answer asked = answer(hub, "OPTIONS", "/todos/1");
            RawClient.Answer strange = answer(hub, "PROPFIND", "/todos/1");

            assertThat(refused.status()).isEqualTo(405);
            assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(refused.body()).contains("method_not_allowed");
            assertThat(strange.status()).isEqualTo(405);
            assertThat(asked.status()).isEqualTo(204);
            assertThat(List.of(refused.header("Allow"), asked.header("Allow"), strange.header("Allow")))
                    .containsOnly("DELETE, GET, HEAD, OPTIONS, PATCH");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, 200",
        "Application/JSON; charset=utf-8, 200",
        "text/csv, 200",
        "application/xml, 415",
        "nonsense, 415",
    })
    void bodyOfAnotherTypeIsRefused(String contentType, int status) throws Exception {
        try (TestHub hub = TestHub.serving(paths);
                RawClient client = hub.connect()) {

            RawClient.Answer answer = client.request(
                            "PATCH", "/todos/1", "Content-Length: 2", "Content-Type: " + contentType)
                    .send("{}")
                    .answer();

            assertThat(answer.status()).isEqualTo(status);
            if (status == 415) {
                assertThat(answer.body()).contains("unsupported_media_type");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/todos/%zz", "/todos/1?q=%zz", "/todos/%"})
    void pathOrQueryThatCannotBeDecodedIsRefused(String path) throws Exception {
        try (TestHub hub = TestHub.serving(paths)) {

            RawClient.Answer answer = answer(hub, "GET", path);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.body()).contains("invalid_request");
        }
    }

    @ParameterizedTest
    @CsvSource({"GET http://hub/files/readme, 200", "OPTIONS *, 400", "GET files, 400"})
    void requestTargetsOfEveryFormAreAnswered(String target, int status) throws Exception {
        try (TestHub hub = TestHub.serving(paths);
                RawClient client = hub.connect()) {

            RawClient.Answer answer =
                    client.send(target + " HTTP/1.1\nHost: hub\n\n").answer();

            assertThat(answer.status()).isEqualTo(status);
            if (status == 400) {
                assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            }
        }
    }

    @Test
    void doormanIsAskedFirstAndHisRefusalIsTheAnswer() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        Doorman doorman = approach -> {
            asked.add(approach.method() + " " + approach.path() + " " + approach.peer());
            if (approach.path().contains("disabled")) {
                throw new Refusal(Refusal.Code.NOT_FOUND, "unknown, disabled or without its secret");
            }
            if (approach.path().contains("broken")) {
                throw new IllegalStateException("the doorman fell asleep");
            }
            return TestHub.limits(10, Duration.ofSeconds(10));
        };
        try (TestHub hub = TestHub.with().doorman(doorman).routes(paths)) {

            RawClient.Answer disabled = answer(hub, "GET", "/todos/disabled");
            RawClient.Answer broken = answer(hub, "GET", "/todos/broken");
            RawClient.Answer served = answer(hub, "GET", "/todos/./1/");
            RawClient.Answer nowhere = answer(hub, "POST", "/nowhere");

            assertThat(disabled.status()).isEqualTo(404);
            assertThat(broken.status()).isEqualTo(500);
            assertThat(served.status()).isEqualTo(200);
            assertThat(nowhere.status()).isEqualTo(404);
            assertThat(asked)
                    .containsExactly(
                            "GET /todos/disabled 127.0.0.1",
                            "GET /todos/broken 127.0.0.1",
                            "GET /todos/1 127.0.0.1",
                            "POST /nowhere 127.0.0.1");
        }
    }

    @Test
    void restDslRunsOnTheEngine() throws Exception {
        RouteBuilder rest = new RouteBuilder() {
            @Override
            public void configure() {
                restConfiguration().component("platform-http");
                rest("/r")
                        .get("/{id}")
                        .to("direct:get")
                        .post()
                        .consumes("application/json")
                        .to("direct:post");
                from("direct:get").setBody(simple("got ${header.id}"));
                from("direct:post").setBody(simple("made ${bodyAs(String)}"));
            }
        };
        try (TestHub hub = TestHub.serving(rest);
                RawClient client = hub.connect()) {

            RawClient.Answer got = client.get("/r/7").answer();
            RawClient.Answer made =
                    client.post("/r", "{}", "Content-Type: application/json").answer();
            RawClient.Answer other = client.request("DELETE", "/r/7").answer();

            assertThat(got.body()).isEqualTo("got 7");
            assertThat(made.body()).isEqualTo("made {}");
            assertThat(other.status()).isEqualTo(405);
        }
    }

    @Test
    void yamlRoutesRunOnTheEngineAndCanBeReplaced(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("hello.camel.yaml");
        try (TestHub hub = TestHub.with().listening()) {
            hub.context().start();
            load(hub, file, "first");
            String before = answer(hub, "GET", "/yaml/you?q=x").body();

            hub.context().getRouteController().stopRoute("yaml-hello");
            hub.context().removeRoute("yaml-hello");
            int between = answer(hub, "GET", "/yaml/you").status();
            load(hub, file, "second");
            String after = answer(hub, "GET", "/yaml/you?q=x").body();

            assertThat(before).isEqualTo("first you x");
            assertThat(between).isEqualTo(404);
            assertThat(after).isEqualTo("second you x");
        }
    }

    private static void load(TestHub hub, Path file, String word) throws Exception {
        Files.writeString(file, """
                - route:
                    id: yaml-hello
                    from:
                      uri: platform-http:/yaml/{who}
                      steps:
                        - setBody:
                            simple: "%s ${header.who} ${exchangeProperty.HttpCall.queryParam('q')}"
                """.formatted(word), StandardCharsets.UTF_8);
        PluginHelper.getRoutesLoader(hub.context())
                .loadRoutes(ResourceHelper.resolveResource(hub.context(), "file:" + file));
    }
}
