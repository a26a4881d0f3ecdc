package intake;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import model.Receipt;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;

/** How a receipt, or its refusal, gets back into the exchange. */
final class Completion {
    private Completion() {}

    /** Holds no thread while the delivery waits, except inside a transaction of the route, which is bound to its thread. */
    static boolean of(CompletableFuture<Receipt> receipt, Exchange exchange, AsyncCallback callback) {
        if (exchange.isTransacted()) {
            receipt.handle((committed, refusal) -> {
                        put(exchange, committed, refusal);
                        return null;
                    })
                    .join();
            callback.done(true);
            return true;
        }
        receipt.whenComplete((committed, refusal) -> {
            put(exchange, committed, refusal);
            callback.done(false);
        });
        return false;
    }

    private static void put(Exchange exchange, Receipt receipt, Throwable refusal) {
        if (refusal != null) {
            exchange.setException(
                    refusal instanceof CompletionException e && e.getCause() != null ? e.getCause() : refusal);
            return;
        }
        exchange.setProperty(IntakeEndpoint.RECEIPT, receipt);
        exchange.getMessage().setHeader(IntakeEndpoint.EVENT_ID, receipt.eventId());
        exchange.getMessage().setHeader(IntakeEndpoint.DUPLICATE, receipt.duplicate());
    }
}
