package routes;

import adapters.Adapter;
import adapters.AdapterRegistry;
import adapters.Pull;
import intake.IntakeEndpoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.util.URISupport;
import redis.Connections;
import redis.Standing;
import redis.Watched;

/**
 * Producers that add to Redis: an entry is acknowledged when its event and its todos are committed, and stays pending
 * otherwise. One route for each adapter that is on, all of them the same.
 */
public final class RedisRoutes extends RouteBuilder {
    private final AdapterRegistry adapters;
    private final Connections connections;

    public RedisRoutes(AdapterRegistry adapters, Connections connections) {
        this.adapters = adapters;
        this.connections = connections;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        adapters.declared().all().stream().filter(RedisRoutes::isRead).forEach(this::read);
    }

    private void read(Adapter adapter) {
        Pull pull = adapter.pull().orElseThrow();
        from(uri(pull))
                .routeId(id(adapter))
                .bean(new FetchDoor(adapters, adapter, pull, detail(pull)), "toDelivery")
                // goes on only after the commit, and only then the entry is acknowledged; a failure leaves it pending
                .to(IntakeEndpoint.FETCHED);
    }

    /** The ids of the routes. */
    public List<String> doors() {
        return adapters.declared().all().stream()
                .filter(RedisRoutes::isRead)
                .map(RedisRoutes::id)
                .toList();
    }

    /** One whose connection is not set is off as long as the hub runs. */
    private static boolean isRead(Adapter adapter) {
        return adapter.pull().isPresent() && adapter.offReason().isEmpty();
    }

    private static String id(Adapter adapter) {
        return "door-redis-" + adapter.name();
    }

    private static String uri(Pull pull) {
        Map<String, Object> options = new LinkedHashMap<>(pull.options());
        options.put("connection", pull.connection());
        return pull.component() + ":" + pull.key() + "?" + URISupport.createQueryString(options);
    }

    private String detail(Pull pull) {
        return connections.identity(pull.connection()) + "; connection " + pull.connection() + "; "
                + pull.component().replaceFirst("redis-", "").replace("pubsub", "channel") + " " + pull.key();
    }

    /** How reading goes on all routes that read from Redis, integrators' too. */
    public static Health.Part health(CamelContext context) {
        List<Standing> standings =
                watched(context).stream().map(Watched::standing).toList();
        List<String> bad = standings.stream()
                .filter(standing -> !standing.well())
                .map(Standing::detail)
                .toList();
        return bad.isEmpty()
                ? new Health.Part(
                        Health.Status.UP,
                        String.join(
                                ", ", standings.stream().map(Standing::detail).toList()))
                : new Health.Part(Health.Status.DEGRADED, String.join("; ", bad));
    }

    /** Nothing more is read; what was read goes on. */
    public static void leave(CamelContext context) {
        watched(context).forEach(Watched::leave);
    }

    private static List<Watched> watched(CamelContext context) {
        return context.getRoutes().stream()
                .map(Route::getConsumer)
                .filter(Watched.class::isInstance)
                .map(Watched.class::cast)
                .toList();
    }
}
