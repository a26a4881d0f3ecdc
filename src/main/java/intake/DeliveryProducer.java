package intake;

import model.Delivery;
import model.Refusal;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultAsyncProducer;

/** The end of a door: its body is a {@link Delivery}. */
final class DeliveryProducer extends DefaultAsyncProducer {
    private final Intake intake;
    private final boolean counting;

    /** @param counting whether the bytes are still to be counted */
    DeliveryProducer(IntakeEndpoint endpoint, Intake intake, boolean counting) {
        super(endpoint);
        this.intake = intake;
        this.counting = counting;
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        Delivery delivery = exchange.getMessage().getBody(Delivery.class);
        Budget.Hold bytes = intake.meter(delivery.adapter());
        AsyncCallback leaving = doneSync -> {
            bytes.giveBack();
            callback.done(doneSync);
        };
        try {
            if (counting && !bytes.take(delivery.payload().length)) {
                throw Intake.overloaded(delivery.adapter());
            }
            return Completion.of(intake.accept(delivery), exchange, leaving);
        } catch (Refusal refusal) {
            exchange.setException(refusal);
            leaving.done(true);
            return true;
        }
    }
}
