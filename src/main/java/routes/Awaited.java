package routes;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.AsyncProcessorSupport;

/** A step of a route that waits without a thread: the route goes on where its answer arrives, with it as the body. */
final class Awaited extends AsyncProcessorSupport {
    /** What is asked; a refusal is thrown or becomes the answer's failure. */
    interface Question {
        CompletionStage<?> ask(Exchange exchange);
    }

    private final Question question;

    Awaited(Question question) {
        this.question = question;
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        try {
            question.ask(exchange).whenComplete((answer, failure) -> {
                if (failure == null) {
                    exchange.getMessage().setBody(answer);
                } else {
                    exchange.setException(failure instanceof CompletionException ? failure.getCause() : failure);
                }
                callback.done(false);
            });
            return false;
        } catch (RuntimeException refused) {
            exchange.setException(refused);
            callback.done(true);
            return true;
        }
    }
}
