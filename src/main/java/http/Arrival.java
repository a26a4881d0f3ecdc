package http;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import model.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its event loop, from its head to a place among the workers: who may come in, which route serves it, then
 * its body. Whatever ends it on the way is written as a refusal, and what its admission took is given back.
 */
final class Arrival {
    private static final Logger LOG = LoggerFactory.getLogger(Arrival.class);

    private final HttpEngine engine;
    private final RoutingContext routing;
    private final HttpServerRequest request;
    private final ResponseWriter response;
    private final AtomicBoolean settled = new AtomicBoolean();

    private RequestHead head;
    private Admission admission;
    private HttpConsumer route;
    private Map<String, String> pathParams;
    private MultiMap query;

    Arrival(HttpEngine engine, RoutingContext routing, ResponseWriter response) {
        this.engine = engine;
        this.routing = routing;
        this.request = routing.request();
        this.response = response;
    }

    /** Returns at once; the body, if there is one, comes later. */
    void take() {
        try {
            head = RequestHead.of(request, decoded("path", routing::normalizedPath));
            response.headIs(head);
            if (engine.isGoingAway()) {
                throw stopping();
            }
            // first the doorman: "still starting" is truer than "not found"
            admission = engine.doorman()
                    .admit(new Approach(head.method(), head.path(), head.target(), head.remoteAddress(), this::header));
            RouteTable.Match match = engine.routes()
                    .find(head.method(), head.path(), request.getHeader(HttpHeaders.CONTENT_TYPE), head.hasBody());
            if (match.consumer() == null) {
                answerWithoutRoute(match);
                return;
            }
            route = match.consumer();
            pathParams = match.pathParams();
            query = decoded("query string", routing::queryParams);
            readBody();
        } catch (Refusal refusal) {
            refuse(refusal);
        } catch (RuntimeException unexpected) {
            LOG.error(
                    "an HTTP request failed before its route method={} path={}",
                    request.method(),
                    request.path(),
                    unexpected);
            refuse(HttpEngine.internal(unexpected));
        }
    }

    private String header(String name) {
        List<String> values = request.headers().getAll(name);
        return values.isEmpty() ? null : String.join(", ", values);
    }

    private void readBody() {
        if (!route.isStarted()) {
            throw stopping();
        }
        if (head.length() > admission.maxBody()) {
            throw BodyReader.tooLarge(admission.maxBody());
        }
        if (!head.hasBody()) {
            dispatch(new byte[0]);
            return;
        }
        new BodyReader(routing.vertx(), request, head, admission, this::dispatch, this::refuse, this::giveBack).start();
        response.bodyIsWelcome();
    }

    private void dispatch(byte[] body) {
        HttpCall http = new HttpCall(head, admission, request.headers(), query, pathParams, body);
        Call call = new Call(engine, route, http, request.query(), response, this::giveBack);
        request.response().closeHandler(closed -> call.clientLeft());
        route.opened(call);
        if (!engine.offer(call)) {
            call.over();
            refuse(new Refusal(
                    Refusal.Code.OVERLOADED, "every worker is busy and the queue is full: send this again later"));
        }
    }

    private void answerWithoutRoute(RouteTable.Match match) {
        if (match.allowed().isEmpty()) {
            throw engine.getCamelContext().isStarted()
                    ? new Refusal(Refusal.Code.NOT_FOUND, "there is nothing at this path")
                    : new Refusal(Refusal.Code.STARTING, "the hub is starting: send this again in a moment");
        }
        if (match.methodServed()) {
            throw new Refusal(Refusal.Code.UNSUPPORTED_MEDIA_TYPE, "this path takes no body of this Content-Type");
        }
        giveBack();
        Set<String> allowed = new TreeSet<>(match.allowed());
        allowed.add("OPTIONS");
        Map<String, String> allow = Map.of("Allow", String.join(", ", allowed));
        if (head.method().equals("OPTIONS")) {
            response.write(new Reply(204, allow, null), () -> {});
        } else {
            Refusal refusal = new Refusal(
                    Refusal.Code.METHOD_NOT_ALLOWED, "this path does not take " + head.method() + ": see Allow");
            response.refuse(refusal, allow, () -> {});
        }
    }

    private void refuse(Refusal refusal) {
        giveBack();
        response.refuse(refusal);
    }

    private void giveBack() {
        if (admission != null && settled.compareAndSet(false, true)) {
            admission.meter().giveBack();
        }
    }

    private static <T> T decoded(String what, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (RuntimeException malformed) {
            throw new Refusal(
                    Refusal.Code.INVALID_REQUEST, "the " + what + " of the request cannot be decoded", malformed);
        }
    }

    private static Refusal stopping() {
        return new Refusal(Refusal.Code.STOPPING, "the hub is stopping: send this again in a moment");
    }
}
