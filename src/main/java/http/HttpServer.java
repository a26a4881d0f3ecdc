package http;

import io.netty.handler.codec.TooLongFrameException;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpRouter;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServer;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServerConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server under the engine, HTTP/1.1 and HTTP/2 without TLS: {@code context.addService(server)} before the routes. It
 * listens from the start of the context, or from its own {@link #start()} where "starting" must be said earlier. A port
 * that is taken fails that start.
 *
 * <p>{@link #suspend()} begins a graceful end: new requests are refused with STOPPING, parked calls are told, streams end,
 * and what runs runs on. Stopping does the same first. A server that was stopped does not start again.
 */
public final class HttpServer extends VertxPlatformHttpServer {
    /** Longer than the longest poll (60 s) and than any pause between keep-alives of a stream. */
    public static final Duration IDLE = Duration.ofMinutes(2);

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

    private static final int MAX_HEADERS = 16 * 1024;
    private static final int MAX_REQUEST_LINE = 8 * 1024;
    private static final int BACKLOG = 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HttpEngine engine;
    private final String host;
    private final int port;
    private final Duration idle;
    private volatile io.vertx.core.http.HttpServer listening;

    /** @param port 0 for any free one */
    public HttpServer(HttpEngine engine, String host, int port) {
        this(engine, host, port, IDLE);
    }

    /**
     * A server with an idle time of its own.
     *
     * @param idle a connection on which nothing moves for so long is closed, half-sent heads among them
     */
    public HttpServer(HttpEngine engine, String host, int port, Duration idle) {
        super(configuration(host, port));
        this.engine = engine;
        this.host = host;
        this.port = port;
        this.idle = idle;
    }

    /** The port that it listens on; before the start, the one it was given. */
    public int port() {
        io.vertx.core.http.HttpServer current = listening;
        return current == null ? port : current.actualPort();
    }

    @Override
    public int getPort() {
        return port();
    }

    @Override
    public io.vertx.core.http.HttpServer getServer() {
        return listening;
    }

    @Override
    protected void startServer() throws Exception {
        engine.setCamelContext(getCamelContext());
        engine.servedBy(this);
        engine.start();
        VertxPlatformHttpRouter router = VertxPlatformHttpRouter.lookup(
                getCamelContext(), VertxPlatformHttpRouter.getRouterNameFromPort(getConfigurationPort()));
        // last: what other Camel services put on the router is served as they expect
        router.route().last().handler(engine::accept);
        for (int status : List.of(400, 404, 405, 500)) {
            router.errorHandler(status, engine::refuseUnroutable);
        }
        io.vertx.core.http.HttpServer server = getVertx()
                .createHttpServer(options())
                .requestHandler(router)
                .invalidRequestHandler(request -> engine.refuseUnreadable(getVertx(), request, brokenRule(request)));
        try {
            listening = await(server.listen(port, host));
        } catch (ExecutionException failed) {
            stopVertx();
            throw new IllegalStateException(
                    "HTTP cannot listen on " + host + ":" + port + " ("
                            + failed.getCause().getMessage() + "): free the port or set another one",
                    failed.getCause());
        }
        LOG.info("HTTP listens host={} port={}", host, port());
    }

    @Override
    protected void doSuspend() {
        engine.suspend();
    }

    @Override
    protected void doResume() {
        engine.resume();
    }

    @Override
    protected void stopServer() {
        engine.suspend();
        engine.stop();
        try {
            if (listening != null) {
                await(listening.close());
            }
        } catch (Exception failed) {
            LOG.warn("HTTP did not close cleanly host={} port={}", host, port, failed);
        } finally {
            listening = null;
        }
    }

    /** The parent's own way needs an executor that only its way to start creates. */
    @Override
    protected void stopVertx() {
        engine.shutdown();
        try {
            if (lookupVertx() == null && getVertx() != null) {
                await(getVertx().close());
            }
        } catch (Exception failed) {
            LOG.warn("the event loops of HTTP did not stop cleanly", failed);
        }
    }

    private HttpServerOptions options() {
        HttpServerOptions options = new HttpServerOptions()
                .setMaxHeaderSize(MAX_HEADERS)
                .setMaxInitialLineLength(MAX_REQUEST_LINE)
                .setAcceptBacklog(BACKLOG)
                .setIdleTimeout((int) idle.toMillis())
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
        options.getInitialSettings().setMaxHeaderListSize(MAX_HEADERS);
        return options;
    }

    private static String brokenRule(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        if (cause instanceof TooLongFrameException) {
            return "the request line may have " + MAX_REQUEST_LINE + " bytes and the headers " + MAX_HEADERS;
        }
        return "this is not an HTTP request: its first line, a header or its length cannot be read";
    }

    private static VertxPlatformHttpServerConfiguration configuration(String host, int port) {
        VertxPlatformHttpServerConfiguration configuration = new VertxPlatformHttpServerConfiguration();
        configuration.setBindHost(host);
        configuration.setBindPort(port);
        return configuration;
    }

    private static <T> T await(Future<T> future) throws InterruptedException, ExecutionException, TimeoutException {
        return future.toCompletionStage().toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
