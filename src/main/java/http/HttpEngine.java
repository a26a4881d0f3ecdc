package http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import model.Refusal;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelContextAware;
import org.apache.camel.Processor;
import org.apache.camel.component.platform.http.PlatformHttpEndpoint;
import org.apache.camel.component.platform.http.spi.PlatformHttpConsumer;
import org.apache.camel.component.platform.http.spi.PlatformHttpEngine;
import org.apache.camel.support.service.ServiceSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The asynchronous engine under {@code platform-http:}. Bind it as {@value #NAME} before the first route.
 *
 * <p>It asks the {@link Doorman} before it reads a body, gives routes the body's own bytes whatever their content type,
 * never lets a query parameter pose as a header, answers only what a route chose, and holds no thread for a route that
 * waits: an {@code AsyncProcessor} that returns false gives its worker back. What completes such an exchange decides which
 * thread runs the rest of the route; to leave its own, it completes with
 * {@code engine.executor().execute(() -> callback.done(false))}.
 */
public final class HttpEngine extends ServiceSupport implements PlatformHttpEngine, CamelContextAware {
    /** The name under which Camel looks an engine up. */
    public static final String NAME = "platform-http-engine";

    private static final Logger LOG = LoggerFactory.getLogger(HttpEngine.class);

    private final Settings settings;
    private final Doorman doorman;
    private final RefusalWriter refusals;
    private final Workers workers;
    private final RouteTable routes = new RouteTable();

    private CamelContext context;
    private HttpServer server;

    /**
     * How the engine is set.
     *
     * @param workers threads that run routes
     * @param queue new requests that may wait for a worker; one more is refused with OVERLOADED
     * @param queryHeaders names of query parameters that routes find as message headers, where no HTTP header of that name
     *     was sent; every other one is read with {@link HttpCall#queryParam}
     * @param answerHeaders names of message headers that leave with an answer, beside Content-Type
     */
    public record Settings(int workers, int queue, Set<String> queryHeaders, Set<String> answerHeaders) {
        private static final Set<String> USUAL_ANSWER_HEADERS = Set.of(
                "allow",
                "cache-control",
                "content-disposition",
                "content-encoding",
                "content-language",
                "etag",
                "last-modified",
                "link",
                "location",
                "retry-after",
                "vary",
                "www-authenticate",
                "x-content-type-options",
                "x-request-id",
                "access-control-allow-credentials",
                "access-control-allow-headers",
                "access-control-allow-methods",
                "access-control-allow-origin",
                "access-control-expose-headers",
                "access-control-max-age");

        public Settings {
            if (workers < 1 || queue < 1) {
                throw new IllegalArgumentException(
                        "the HTTP engine needs one worker and one place to wait or more: " + workers + ", " + queue);
            }
            queryHeaders = Set.copyOf(queryHeaders);
            answerHeaders = answerHeaders.stream()
                    .map(name -> name.toLowerCase(Locale.ROOT))
                    .collect(Collectors.toUnmodifiableSet());
        }

        /** 20 workers, 2,000 places, no query parameter as a header, the usual answer headers. */
        public static Settings defaults() {
            return new Settings(20, 2_000, Set.of(), USUAL_ANSWER_HEADERS);
        }
    }

    public HttpEngine(Settings settings, Doorman doorman, RefusalWriter refusals) {
        this.settings = settings;
        this.doorman = doorman;
        this.refusals = refusals;
        this.workers = new Workers(settings.workers(), settings.queue());
    }

    /**
     * The workers, for what finishes a request that was let in: completions of parked exchanges. Never rejects. New
     * requests are what the bound of the queue holds back.
     */
    public Executor executor() {
        return workers;
    }

    @Override
    public PlatformHttpConsumer createConsumer(PlatformHttpEndpoint endpoint, Processor processor) {
        return new HttpConsumer(this, endpoint, processor);
    }

    /** The port that the server really has. */
    @Override
    public int getServerPort() {
        return server == null ? 0 : server.port();
    }

    @Override
    public CamelContext getCamelContext() {
        return context;
    }

    @Override
    public void setCamelContext(CamelContext camelContext) {
        this.context = camelContext;
    }

    RefusalWriter refusals() {
        return refusals;
    }

    Settings settings() {
        return settings;
    }

    Doorman doorman() {
        return doorman;
    }

    RouteTable routes() {
        return routes;
    }

    /** Gives a call a place among the workers; false when there is none. */
    boolean offer(Call call) {
        return workers.offer(call);
    }

    void servedBy(HttpServer listening) {
        this.server = listening;
    }

    @Override
    protected void doSuspend() {
        routes.consumers().forEach(HttpConsumer::tellOpenCalls);
    }

    @Override
    protected void doStop() {
        routes.consumers().forEach(HttpConsumer::tellOpenCalls);
        routes.consumers().forEach(HttpConsumer::awaitLastAnswers);
    }

    @Override
    protected void doShutdown() {
        workers.stop();
    }

    /** Takes a request on its event loop. */
    void accept(RoutingContext routing) {
        new Arrival(this, routing, responseTo(routing.vertx(), routing.request())).take();
    }

    /** What the server itself could not read as a request. */
    void refuseUnreadable(Vertx vertx, HttpServerRequest request, String rule) {
        responseTo(vertx, request).refuse(new Refusal(Refusal.Code.INVALID_REQUEST, rule));
    }

    /** What Vert.x's router refused before it came here. */
    void refuseUnroutable(RoutingContext routing) {
        ResponseWriter response = responseTo(routing.vertx(), routing.request());
        if (routing.statusCode() >= 500) {
            LOG.error(
                    "an HTTP request failed in the router path={}",
                    routing.request().path(),
                    routing.failure());
            response.refuse(internal(routing.failure()));
        } else {
            response.refuse(new Refusal(Refusal.Code.INVALID_REQUEST, "the path of the request cannot be read"));
        }
    }

    private ResponseWriter responseTo(Vertx vertx, HttpServerRequest request) {
        return new ResponseWriter(vertx, request, refusals, this::isGoingAway);
    }

    /** Whether nothing new is taken any more: by order of the server, or because the context ends. */
    boolean isGoingAway() {
        return isSuspendingOrSuspended()
                || isStoppingOrStopped()
                || context.isStopping()
                || context.isSuspending()
                || context.isSuspended();
    }

    static Refusal internal(Throwable cause) {
        return new Refusal(Refusal.Code.INTERNAL, "the hub failed on this request; its log says why", cause);
    }
}
