package http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import model.Refusal;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;

/** A Camel context with the engine and a server on a free port of the loopback, and the routes of one test. */
final class TestHub implements AutoCloseable {
    private static final Map<Refusal.Code, Integer> STATUS = Map.of(
            Refusal.Code.INVALID_REQUEST, 400,
            Refusal.Code.NOT_FOUND, 404,
            Refusal.Code.METHOD_NOT_ALLOWED, 405,
            Refusal.Code.BODY_TIMEOUT, 408,
            Refusal.Code.STALE_ATTEMPT, 409,
            Refusal.Code.BODY_TOO_LARGE, 413,
            Refusal.Code.UNSUPPORTED_MEDIA_TYPE, 415,
            Refusal.Code.OVERLOADED, 503,
            Refusal.Code.STARTING, 503,
            Refusal.Code.STOPPING, 503);

    /** Lets everybody in with 1 MiB and 10 s. */
    static final Doorman OPEN_DOOR = approach -> limits(1 << 20, Duration.ofSeconds(10));

    private final DefaultCamelContext context = new DefaultCamelContext();
    private final HttpEngine engine;
    private final HttpServer server;

    private TestHub(HttpEngine.Settings settings, Doorman doorman, RefusalWriter refusals, int port, Duration idle)
            throws Exception {
        engine = new HttpEngine(settings, doorman, refusals);
        server = new HttpServer(engine, "127.0.0.1", port, idle);
        context.getRegistry().bind(HttpEngine.NAME, engine);
        context.addService(server);
    }

    static Builder with() {
        return new Builder();
    }

    static TestHub serving(RouteBuilder routes) throws Exception {
        return with().routes(routes);
    }

    static Admission limits(long maxBody, Duration bodyTimeout) {
        return new Admission(maxBody, bodyTimeout, BodyMeter.UNMETERED);
    }

    static HttpEngine.Settings workers(int workers, int queue) {
        HttpEngine.Settings usual = HttpEngine.Settings.defaults();
        return new HttpEngine.Settings(workers, queue, Set.of(), usual.answerHeaders());
    }

    /** RFC 9457, as small as it can be said. */
    static Problem problem(Refusal refusal) {
        int status = STATUS.getOrDefault(refusal.code(), 500);
        String body = "{\"status\":" + status + ",\"code\":\"" + refusal.code().word() + "\"}";
        return new Problem(
                status, Map.of("content-type", "application/problem+json"), body.getBytes(StandardCharsets.UTF_8));
    }

    int port() {
        return server.port();
    }

    HttpEngine engine() {
        return engine;
    }

    HttpServer server() {
        return server;
    }

    DefaultCamelContext context() {
        return context;
    }

    RawClient connect() throws Exception {
        return new RawClient(port());
    }

    @Override
    public void close() {
        context.stop();
    }

    /** What differs from the usual in one test. */
    static final class Builder {
        private HttpEngine.Settings settings = HttpEngine.Settings.defaults();
        private Doorman doorman = OPEN_DOOR;
        private RefusalWriter refusals = TestHub::problem;
        private int port;
        private Duration idle = HttpServer.IDLE;

        Builder settings(HttpEngine.Settings chosen) {
            settings = chosen;
            return this;
        }

        Builder doorman(Doorman chosen) {
            doorman = chosen;
            return this;
        }

        Builder admission(Admission admission) {
            doorman = approach -> admission;
            return this;
        }

        Builder refusals(RefusalWriter chosen) {
            refusals = chosen;
            return this;
        }

        Builder port(int chosen) {
            port = chosen;
            return this;
        }

        Builder idle(Duration chosen) {
            idle = chosen;
            return this;
        }

        /** Listens, and has not started its routes. */
        TestHub listening() throws Exception {
            TestHub hub = new TestHub(settings, doorman, refusals, port, idle);
            hub.server.start();
            return hub;
        }

        TestHub routes(RouteBuilder routes) throws Exception {
            TestHub hub = listening();
            hub.context.addRoutes(routes);
            hub.context.start();
            return hub;
        }
    }
}
