package http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Flow;
import java.util.function.BooleanSupplier;
import model.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the one answer to one request, and ends the connection where it cannot be used again. Everything but
 * {@link #onEventLoop} is called on the request's event loop.
 */
final class ResponseWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseWriter.class);

    /**
     * Milliseconds between an answer and the end of its connection, where the client may still be sending: closing at once
     * would reset the connection, and the client would see that instead of the answer.
     */
    private static final long LINGER = 250;

    /** A refused body of up to so many bytes is let run out, to keep its connection; a larger one ends it. */
    private static final long WORTH_READING = 64 * 1024;

    /** Milliseconds for which the rest of a refused HTTP/2 body is dropped before its stream is reset. */
    private static final long DROPPED = 5_000;

    /** RFC 9113 section 8.1: the answer is complete, the rest of the request is not wanted. */
    private static final long NO_ERROR = 0;

    private final Vertx vertx;
    private final Context context;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final RefusalWriter refusals;
    private final BooleanSupplier stopping;

    private RequestHead head;
    private boolean bodyStarted;
    private StreamWriter stream;
    private boolean streamsEnd;

    ResponseWriter(Vertx vertx, HttpServerRequest request, RefusalWriter refusals, BooleanSupplier stopping) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.request = request;
        this.response = request.response();
        this.refusals = refusals;
        this.stopping = stopping;
    }

    void headIs(RequestHead read) {
        head = read;
    }

    /** Asks for the body that a client holds back, if it does. */
    void bodyIsWelcome() {
        bodyStarted = true;
        if (head.awaitsContinue()) {
            response.writeContinue();
        }
    }

    void onEventLoop(Runnable work) {
        context.runOnContext(v -> work.run());
    }

    void refuse(Refusal refusal) {
        refuse(refusal, Map.of(), () -> {});
    }

    /**
     * Writes a refusal in the words of the refusal writer.
     *
     * @param more headers that only the engine knows
     * @param written called once the answer has left, or cannot leave any more
     */
    void refuse(Refusal refusal, Map<String, String> more, Runnable written) {
        Problem problem = problemOf(refusal);
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(problem.headers());
        headers.putAll(more);
        headers.putIfAbsent("Content-Type", "application/problem+json");
        if (problem.status() == 503) {
            headers.putIfAbsent("Retry-After", "1");
        }
        write(new Reply(problem.status(), headers, problem.body()), written);
    }

    private Problem problemOf(Refusal refusal) {
        try {
            return refusals.problem(refusal);
        } catch (RuntimeException broken) {
            LOG.error("a refusal could not be put into words code={}", refusal.code(), broken);
            return new Problem(500, Map.of(), new byte[0]);
        }
    }

    /** Writes what a route chose, or what the engine answers for it. */
    void write(Reply reply, Runnable written) {
        if (response.ended() || response.closed()) {
            written.run();
            return;
        }
        boolean unread = bodyIsUnread();
        boolean last = unread || stopping.getAsBoolean();
        response.headers().clear(); // of an answer that could not be written
        reply.headers().forEach(response::putHeader);
        response.setStatusCode(reply.status());
        if (last && isHttp1()) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        if (unread) {
            leaveBodyUnread();
        }
        Runnable after = last ? () -> finishConnection(unread, written) : written;
        if (reply.body() instanceof Flow.Publisher<?> publisher) {
            writeStream(publisher, after);
        } else {
            writeBytes(reply.status(), (byte[]) reply.body(), after);
        }
    }

    /** Ends a stream, if this answer is one or becomes one; anything else ends by itself. */
    void endStream() {
        streamsEnd = true;
        if (stream != null) {
            stream.end();
        }
    }

    private void writeBytes(int status, byte[] body, Runnable after) {
        boolean neverHasBody = status == 204 || status == 304;
        if (!neverHasBody) {
            response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body == null ? 0 : body.length));
        }
        boolean headOnly = neverHasBody || body == null || HttpMethod.HEAD.equals(request.method());
        (headOnly ? response.end() : response.end(Buffer.buffer(body))).onComplete(sent -> after.run());
    }

    private void writeStream(Flow.Publisher<?> publisher, Runnable after) {
        if (streamsEnd || HttpMethod.HEAD.equals(request.method())) {
            response.end().onComplete(sent -> after.run());
            return;
        }
        response.setChunked(isHttp1());
        stream = new StreamWriter(this, request, after);
        publisher.subscribe(stream);
    }

    /** Whether bytes of this request's body may stand before the next request on the connection. */
    private boolean bodyIsUnread() {
        if (head == null) {
            return true; // not understood: nothing after it on this connection can be trusted
        }
        if (request.isEnded()) {
            return false;
        }
        boolean runsOutSoon = !bodyStarted
                && !head.awaitsContinue()
                && head.length() <= WORTH_READING
                && head.length() != RequestHead.UNKNOWN;
        return head.hasBody() && !runsOutSoon;
    }

    private void leaveBodyUnread() {
        if (isHttp1()) {
            request.pause();
        } else {
            // what still comes is dropped: many HTTP/2 clients look at an answer only once their body has left
            request.handler(dropped -> {}).resume();
        }
    }

    private void finishConnection(boolean unread, Runnable written) {
        written.run();
        if (isHttp1()) {
            // Vert.x goes by the request's Connection header alone, so the close that was announced is made here
            vertx.setTimer(LINGER, timer -> request.connection().close());
        } else if (unread) {
            vertx.setTimer(DROPPED, timer -> endHttp2Stream());
        }
    }

    /** Ends this stream and leaves the others on its connection alone. */
    private void endHttp2Stream() {
        if (!request.isEnded()) {
            response.reset(NO_ERROR);
        }
    }

    private boolean isHttp1() {
        return request.version() != HttpVersion.HTTP_2;
    }
}
