package intake;

import adapters.Adapter;
import adapters.AdapterType;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriPath;
import org.apache.camel.support.DefaultEndpoint;

/**
 * Hands a message over to an adapter; the step is done when the event and its todos are committed, and fails when they are
 * not. The exchange then carries {@link #RECEIPT}, and the headers {@link #EVENT_ID} and {@link #DUPLICATE}.
 */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "intake",
        title = "Intake",
        syntax = "intake:adapter",
        producerOnly = true)
public final class IntakeEndpoint extends DefaultEndpoint {
    /** Where doors send a finished {@link model.Delivery} whose bytes were counted as they arrived. */
    public static final String DELIVERIES = "intake:_deliveries";

    /** Where doors send a finished {@link model.Delivery} that they fetched; its bytes are counted here. */
    public static final String FETCHED = "intake:_fetched";

    /** Exchange property: the {@link model.Receipt}. */
    public static final String RECEIPT = "SwitchboardReceipt";
    /** Header: the event's id, a long. */
    public static final String EVENT_ID = "SwitchboardEventId";
    /** Header: whether an earlier copy was met, a boolean. */
    public static final String DUPLICATE = "SwitchboardDuplicate";

    @UriPath
    @Metadata(required = true, description = "Name of an adapter of type route in adapters.yaml")
    private final String adapter;

    @UriParam(description = "Simple expression for the identity that makes a second copy recognisable, up to 256 bytes")
    private String externalId;

    @UriParam(description = "Simple expression for the event type")
    private String eventType;

    IntakeEndpoint(String uri, IntakeComponent component, String adapter) {
        super(uri, component);
        this.adapter = adapter;
    }

    public String getExternalId() {
        return externalId;
    }

    /** Without it a retry may be stored twice, never lost. */
    public void setExternalId(String externalId) {
        this.externalId = externalId;
    }

    public String getEventType() {
        return eventType;
    }

    public void setEventType(String eventType) {
        this.eventType = eventType;
    }

    @Override
    public Producer createProducer() {
        IntakeComponent component = (IntakeComponent) getComponent();
        // no adapter can have these names
        if (adapter.equals("_deliveries")) {
            return new DeliveryProducer(this, component.intake()::accept);
        }
        if (adapter.equals("_fetched")) {
            return new DeliveryProducer(this, component.intake()::acceptUncounted);
        }
        Adapter target = component
                .adapters()
                .declared()
                .named(adapter)
                .filter(declared -> declared.type().entrance() == AdapterType.Entrance.ROUTE)
                .orElseThrow(() -> new IllegalArgumentException(
                        "intake:" + adapter + ": adapters.yaml declares no adapter " + adapter + " of type route"));
        return new MessageProducer(this, component, target);
    }

    @Override
    public Consumer createConsumer(Processor processor) {
        throw new UnsupportedOperationException("intake: is where routes end; agents claim todos over REST");
    }
}
