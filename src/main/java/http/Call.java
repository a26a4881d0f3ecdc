package http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import model.Refusal;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request with its whole body, from a place among the workers to the answer. */
final class Call implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Call.class);

    private final HttpEngine engine;
    private final HttpConsumer consumer;
    private final HttpCall http;
    private final String query;
    private final ResponseWriter response;
    private final Runnable giveBack;

    private final Map<String, Object> arrived = new HashMap<>();
    private final CompletableFuture<Void> answered = new CompletableFuture<>();

    private Exchange exchange;

    /**
     * Prepares the call.
     *
     * @param query the raw query string; may be null
     * @param giveBack run when the exchange is finished and its bytes are free
     */
    Call(
            HttpEngine engine,
            HttpConsumer consumer,
            HttpCall http,
            String query,
            ResponseWriter response,
            Runnable giveBack) {
        this.engine = engine;
        this.consumer = consumer;
        this.http = http;
        this.query = query;
        this.response = response;
        this.giveBack = giveBack;
    }

    /** Completes when the answer has left, or nobody is there to take it. */
    CompletableFuture<Void> answered() {
        return answered;
    }

    /** The answer has left, or cannot leave any more. */
    void over() {
        consumer.closed(this);
        answered.complete(null);
    }

    /** Runs the route. The worker is free again when it returns, also where the route went on elsewhere. */
    @Override
    public void run() {
        try {
            exchange = consumer.createExchange(false);
            exchange.setPattern(ExchangePattern.InOut);
            fill(exchange.getIn());
            exchange.setProperty(HttpCall.PROPERTY, http);
            consumer.createUoW(exchange);
            consumer.getAsyncProcessor().process(exchange, doneSynchronously -> finish());
        } catch (Throwable unexpected) { // also an Error: the client waits and the bytes are charged
            fail(unexpected);
        }
    }

    /** On the event loop: the connection or the stream was closed before the answer had left. */
    void clientLeft() {
        if (!answered.isDone()) {
            tell(HttpCall.Gone.CLIENT);
            response.endStream();
            over();
        }
    }

    /** On any thread: the hub stops. Who is parked answers early, streams end, everything else goes on to its end. */
    void hubStops() {
        if (!answered.isDone()) {
            tell(HttpCall.Gone.SHUTDOWN);
            response.onEventLoop(response::endStream);
        }
    }

    private void tell(HttpCall.Gone why) {
        for (Consumer<HttpCall.Gone> listener : http.leave(why)) {
            engine.executor().execute(() -> {
                try {
                    listener.accept(why);
                } catch (RuntimeException broken) {
                    LOG.error("nobody could be told that a call is gone path={} why={}", http.path(), why, broken);
                }
            });
        }
    }

    private void fill(Message message) {
        http.headers().forEach((name, value) -> put(message, name, value));
        for (String name : engine.settings().queryHeaders()) {
            String value = http.queryParam(name);
            if (value != null && http.header(name) == null) {
                put(message, name, value);
            }
        }
        http.pathParams().forEach((name, value) -> put(message, name, value));
        // a GET route that serves a HEAD request runs as for GET; the writer leaves the body out
        boolean servedAsGet = "HEAD".equals(http.method());
        message.setHeader(Exchange.HTTP_METHOD, servedAsGet ? "GET" : http.method());
        message.setHeader(Exchange.HTTP_PATH, http.path());
        message.setHeader(Exchange.HTTP_URI, http.path());
        message.setHeader(Exchange.HTTP_QUERY, query);
        message.setBody(http.body());
    }

    private void put(Message message, String name, Object value) {
        arrived.put(name.toLowerCase(Locale.ROOT), value);
        message.setHeader(name, value);
    }

    /** On whichever thread finished the route: makes the answer here, and hands it to the event loop. */
    private void finish() {
        try {
            Reply reply = reply();
            response.onEventLoop(() -> write(reply));
        } catch (Refusal refusal) {
            response.onEventLoop(() -> response.refuse(refusal, Map.of(), this::over));
        } finally {
            release();
        }
    }

    private Reply reply() {
        Exception failure = exchange.getException();
        if (failure != null) {
            throw refusal(failure);
        }
        try {
            Reply reply = Reply.chosenBy(
                    exchange, arrived, http.body(), engine.settings().answerHeaders());
            if (exchange.isRollbackOnly() && reply.status() < 400) {
                throw new IllegalStateException("the route rolled back and answered " + reply.status());
            }
            return reply;
        } catch (RuntimeException unsendable) {
            throw refusal(unsendable);
        }
    }

    private void write(Reply reply) {
        try {
            response.write(reply, this::over);
        } catch (RuntimeException unsendable) {
            response.refuse(refusal(unsendable), Map.of(), this::over);
        }
    }

    private void fail(Throwable unexpected) {
        Refusal refusal = refusal(unexpected);
        response.onEventLoop(() -> response.refuse(refusal, Map.of(), this::over));
        release();
    }

    private void release() {
        try {
            if (exchange != null) {
                consumer.doneUoW(exchange);
                consumer.releaseExchange(exchange, false);
            }
        } finally {
            giveBack.run();
        }
    }

    private Refusal refusal(Throwable failure) {
        Refusal refusal = engine.refusals().refusal(failure);
        if (refusal.code() == Refusal.Code.INTERNAL) {
            LOG.error(
                    "an HTTP request failed method={} path={} route={}",
                    http.method(),
                    http.path(),
                    consumer.getRouteId(),
                    failure);
        }
        return refusal;
    }
}
