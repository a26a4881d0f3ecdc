package pgevent;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.camel.Endpoint;
import org.apache.camel.component.pgevent.PgEventComponent;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.util.URISupport;

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
    private static final String ONE_THREAD =
            "one thread hands notifications over in order; put seda: or threads() behind it";
    private static final Map<String, String> REFUSED = Map.of(
            "reconnectDelay", "the listener reconnects at once, then backs off from 50 ms to 2 s by itself",
            "workerPool", ONE_THREAD,
            "workerPoolCoreSize", ONE_THREAD,
            "workerPoolMaxSize", ONE_THREAD);

    private static final Set<String> OPTIONS =
            new TreeSet<>(Set.of("datasource", "user", "pass", "exceptionHandler", "exchangePattern"));

    static {
        // Camel masks "password", and prints camel-pgevent's "pass" in errors and logs
        URISupport.addSanitizeKeywords("pass");
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        Address address = Address.parse(remaining);
        Set<String> channels = channels(parameters, "channels");
        Set<String> uncoalesced = channels(parameters, "uncoalesced");
        parameters.keySet().forEach(ListenComponent::checkOption);

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

    private static void checkOption(String option) {
        if (REFUSED.containsKey(option)) {
            throw new IllegalArgumentException(
                    "pgevent: option '%s' is not supported: %s".formatted(option, REFUSED.get(option)));
        }
        if (!OPTIONS.contains(option)) {
            throw new IllegalArgumentException(
                    "pgevent: unknown option '%s'; there are channels, uncoalesced and %s".formatted(option, OPTIONS));
        }
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
