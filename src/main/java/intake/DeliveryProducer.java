package intake;

import model.Delivery;
import model.Refusal;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultAsyncProducer;

/** The end of a door: its body is a {@link Delivery}, whose bytes the door has counted. */
final class DeliveryProducer extends DefaultAsyncProducer {
    private final Intake intake;

    DeliveryProducer(IntakeEndpoint endpoint, Intake intake) {
        super(endpoint);
        this.intake = intake;
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        try {
            return Completion.of(intake.accept(exchange.getMessage().getBody(Delivery.class)), exchange, callback);
        } catch (Refusal refusal) {
            exchange.setException(refusal);
            callback.done(true);
            return true;
        }
    }
}
