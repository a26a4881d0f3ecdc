package http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.Flow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what a publisher has to say, one item at a time: the next one is asked for only while the client takes data, so a
 * slow client costs its publisher and nobody else. A client that leaves cancels the subscription.
 */
final class StreamWriter implements Flow.Subscriber<Object> {
    private static final Logger LOG = LoggerFactory.getLogger(StreamWriter.class);

    private final ResponseWriter eventLoop;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Runnable over;

    private Flow.Subscription subscription;
    private boolean ended;

    StreamWriter(ResponseWriter eventLoop, HttpServerRequest request, Runnable over) {
        this.eventLoop = eventLoop;
        this.request = request;
        this.response = request.response();
        this.over = over;
    }

    /** Ends the stream from this side, as a stopping hub does and as a client that left has done. */
    void end() {
        if (ended) {
            return;
        }
        ended = true;
        if (subscription != null) {
            subscription.cancel();
        }
        if (response.closed()) {
            over.run();
        } else {
            response.end().onComplete(sent -> over.run());
        }
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        eventLoop.onEventLoop(() -> {
            if (ended || subscription != null) {
                given.cancel();
                return;
            }
            subscription = given;
            response.write(Buffer.buffer()); // the head leaves now, not with the first item
            subscription.request(1);
        });
    }

    @Override
    public void onNext(Object item) {
        Buffer bytes = item instanceof byte[] raw ? Buffer.buffer(raw) : Buffer.buffer(item.toString());
        eventLoop.onEventLoop(() -> {
            if (ended) {
                return;
            }
            response.write(bytes);
            if (response.writeQueueFull()) {
                response.drainHandler(drained -> askForNext());
            } else {
                askForNext();
            }
        });
    }

    @Override
    public void onError(Throwable failure) {
        LOG.warn("a stream of answers failed path={}", request.path(), failure);
        eventLoop.onEventLoop(() -> {
            if (!ended) {
                ended = true;
                over.run();
                response.reset(); // an end that looks like an end would be a lie
            }
        });
    }

    @Override
    public void onComplete() {
        eventLoop.onEventLoop(() -> {
            subscription = null;
            end();
        });
    }

    private void askForNext() {
        if (!ended) {
            subscription.request(1);
        }
    }
}
