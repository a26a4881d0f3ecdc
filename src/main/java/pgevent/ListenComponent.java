package pgevent;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.camel.Endpoint;
import org.apache.camel.component.pgevent.PgEventComponent;
import org.apache.camel.spi.annotations.Component;

/**
 * The scheme {@code pgevent:}, listening only, in two forms:
 *
 * <pre>
 * pgevent:&lt;name&gt;/&lt;channel&gt;?datasource=#listenerDataSource      sessions come from an unpooled DataSource
 * pgevent://host:port/database/channel?user=…&amp;pass=…            camel-pgevent's own form
 * </pre>
 *
 * <p>Two options are new: {@code channels=a,b} listens on more channels over the same connection; {@code uncoalesced=a}
 * hands everything on these channels over in order, also what repeats itself. camel-pgevent's options for its own
 * reconnecting and its worker pool have no meaning here and are refused.
 *
 * <p>Bind it as {@code pgevent}: the registry wins over the component that the class path offers. The annotation is not
 * inherited and must stand here: without it Camel looks the options up by reflection, and camel-pgevent's endpoint has a
 * method whose return type lives in pgjdbc-ng, which the house leaves out.
 */
@Component("pgevent")
public final class ListenComponent extends PgEventComponent {
    private static final Map<String, String> REFUSED = Map.of(
            "reconnectDelay", "the listener reconnects at once, then backs off from 50 ms to 2 s by itself",
            "workerPool", "one thread hands notifications over in order; use seda: or threads() behind it",
            "workerPoolCoreSize", "one thread hands notifications over in order; use seda: or threads() behind it",
            "workerPoolMaxSize", "one thread hands notifications over in order; use seda: or threads() behind it",
            "bridgeErrorHandler", "a lost connection is no exchange: it is logged, and isUp() of the consumer is false",
            "lazyStartProducer", "this endpoint only listens; send with pg_notify in the transaction it belongs to");

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        for (String option : parameters.keySet()) {
            if (REFUSED.containsKey(option)) {
                throw new IllegalArgumentException(
                        "pgevent: option '%s' is not supported: %s".formatted(option, REFUSED.get(option)));
            }
        }
        Address address = Address.parse(remaining);
        Set<String> channels = channels(parameters, "channels");
        Set<String> uncoalesced = channels(parameters, "uncoalesced");

        ListenEndpoint endpoint = new ListenEndpoint(uri, this);
        setProperties(endpoint, parameters);
        address.applyTo(endpoint);
        endpoint.setChannels(Stream.concat(Stream.of(address.channel()), channels.stream())
                .map(Notifications::checkChannel)
                .distinct()
                .toList());
        endpoint.setUncoalesced(uncoalesced);
        return endpoint;
    }

    private Set<String> channels(Map<String, Object> parameters, String option) {
        String listed = getAndRemoveParameter(parameters, option, String.class, "");
        List<String> names = Arrays.stream(listed.split(","))
                .map(String::trim)
                .filter(name -> !name.isEmpty())
                .toList();
        return new LinkedHashSet<>(names);
    }
}
