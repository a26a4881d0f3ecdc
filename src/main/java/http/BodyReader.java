package http;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;
import model.Refusal;

/**
 * Reads one body on the event loop, in the limits of its admission. Ends in exactly one of three ways: the whole body, a
 * refusal, or a client that vanished while it sent.
 */
final class BodyReader {
    private final Vertx vertx;
    private final HttpServerRequest request;
    private final Admission admission;
    private final BodyBuffer body;
    private final Consumer<byte[]> whole;
    private final Consumer<Refusal> refused;
    private final Runnable vanished;

    private long deadline;
    private boolean settled;

    BodyReader(
            Vertx vertx,
            HttpServerRequest request,
            RequestHead head,
            Admission admission,
            Consumer<byte[]> whole,
            Consumer<Refusal> refused,
            Runnable vanished) {
        this.vertx = vertx;
        this.request = request;
        this.admission = admission;
        this.body = new BodyBuffer(head.length());
        this.whole = whole;
        this.refused = refused;
        this.vanished = vanished;
    }

    /** Starts to read; returns at once. */
    void start() {
        // the whole body has this time: a sender that drips a byte now and then is as slow as one that sends nothing
        deadline = vertx.setTimer(admission.bodyTimeout().toMillis(), timer -> late());
        request.exceptionHandler(broken -> settle(vanished));
        request.handler(this::arrived);
        request.endHandler(end -> settle(() -> whole.accept(body.toBytes())));
    }

    private void arrived(Buffer chunk) {
        if (settled) {
            return;
        }
        if (body.size() + (long) chunk.length() > admission.maxBody()) {
            settle(() -> refused.accept(tooLarge(admission.maxBody())));
        } else if (!admission.meter().take(chunk.length())) {
            settle(() -> refused.accept(new Refusal(
                    Refusal.Code.OVERLOADED, "too many bytes are waiting to be stored: send this again later")));
        } else {
            body.append(chunk);
        }
    }

    private void late() {
        settle(() -> refused.accept(new Refusal(
                Refusal.Code.BODY_TIMEOUT,
                "the body was not complete after " + admission.bodyTimeout().toMillis() + " ms: " + body.size()
                        + " bytes had arrived")));
    }

    private void settle(Runnable outcome) {
        if (!settled) {
            settled = true;
            vertx.cancelTimer(deadline);
            outcome.run();
        }
    }

    static Refusal tooLarge(long maxBody) {
        return new Refusal(Refusal.Code.BODY_TOO_LARGE, "the body is larger than the " + maxBody + " bytes taken here")
                .with("max_body", maxBody);
    }
}
