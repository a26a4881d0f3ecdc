package intake;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import model.Delivery;
import model.Receipt;
import model.Refusal;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultAsyncProducer;

/** The end of a door: its body is a {@link Delivery}. */
final class DeliveryProducer extends DefaultAsyncProducer {
    private final Function<Delivery, CompletableFuture<Receipt>> admission;

    DeliveryProducer(IntakeEndpoint endpoint, Function<Delivery, CompletableFuture<Receipt>> admission) {
        super(endpoint);
        this.admission = admission;
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        try {
            return Completion.of(admission.apply(exchange.getMessage().getBody(Delivery.class)), exchange, callback);
        } catch (Refusal refusal) {
            exchange.setException(refusal);
            callback.done(true);
            return true;
        }
    }
}
