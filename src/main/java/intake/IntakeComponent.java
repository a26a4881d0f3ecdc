package intake;

import adapters.AdapterRegistry;
import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;

/** {@code intake:<adapter>}: the end of every route whose messages become events and todos. */
@Component("intake")
public final class IntakeComponent extends DefaultComponent {
    private final Intake intake;
    private final AdapterRegistry adapters;

    public IntakeComponent(Intake intake, AdapterRegistry adapters) {
        this.intake = intake;
        this.adapters = adapters;
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) {
        IntakeEndpoint endpoint = new IntakeEndpoint(uri, this, remaining);
        endpoint.setExternalId(getAndRemoveParameter(parameters, "externalId", String.class));
        endpoint.setEventType(getAndRemoveParameter(parameters, "eventType", String.class));
        return endpoint;
    }

    Intake intake() {
        return intake;
    }

    AdapterRegistry adapters() {
        return adapters;
    }
}
