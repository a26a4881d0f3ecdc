package routes;

import static routes.Storage.sql;

import adapters.Adapter;
import adapters.AdapterRegistry;
import adapters.Adapters;
import http.Json;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.camel.CamelContext;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;

/** At start: whose the adapters are, what the database is told of them, and the queues that their rules need. */
public final class DeclarationRoutes extends RouteBuilder {
    private static final String FIND_ACCOUNTS = "direct:adapter-accounts";
    private static final String DECLARE = "direct:adapter-declare";
    private static final String DECLARE_QUEUES = "direct:queue-declare";

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from(FIND_ACCOUNTS).routeId("adapter-accounts").to(sql("adapters/find_accounts"));
        from(DECLARE).routeId("adapter-declare").to(sql("adapters/declare"));
        from(DECLARE_QUEUES).routeId("queue-declare").to(sql("adapters/declare_queues"));
    }

    /**
     * Writes the declarations down.
     *
     * @return the registry over them
     * @throws IllegalArgumentException naming every {@code account:} that does not exist
     */
    public static AdapterRegistry declare(CamelContext context, Adapters adapters) {
        ProducerTemplate producer = context.createProducerTemplate();
        AdapterRegistry registry = new AdapterRegistry(adapters, accounts(producer, adapters));
        List<Adapter> all = adapters.all();
        if (!all.isEmpty()) {
            Map<String, Object> rows = new HashMap<>();
            rows.put(
                    "account_ids",
                    all.stream().map(a -> registry.accountId(a.account())).toArray(Long[]::new));
            rows.put("names", all.stream().map(Adapter::name).toArray(String[]::new));
            rows.put("families", all.stream().map(a -> a.family().word()).toArray(String[]::new));
            rows.put("trust_modes", all.stream().map(a -> a.trustMode().word()).toArray(String[]::new));
            rows.put("configs", all.stream().map(DeclarationRoutes::shown).toArray(String[]::new));
            producer.requestBody(DECLARE, rows);
        }
        List<Adapters.Queue> queues = adapters.queues();
        if (!queues.isEmpty()) {
            Map<String, Object> rows = new HashMap<>();
            rows.put(
                    "account_ids",
                    queues.stream().map(q -> registry.accountId(q.account())).toArray(Long[]::new));
            rows.put("names", queues.stream().map(Adapters.Queue::name).toArray(String[]::new));
            producer.requestBody(DECLARE_QUEUES, rows);
        }
        return registry;
    }

    private static Map<String, Long> accounts(ProducerTemplate producer, Adapters adapters) {
        Set<String> wanted = new TreeSet<>(Set.of(AdapterRegistry.OPERATOR));
        adapters.all().stream().map(Adapter::account).flatMap(Optional::stream).forEach(wanted::add);
        Map<String, Long> found = new HashMap<>();
        List<?> rows = producer.requestBody(FIND_ACCOUNTS, Map.of("names", wanted.toArray(String[]::new)), List.class);
        rows.forEach(row -> found.put((String) ((Map<?, ?>) row).get("name"), (Long) ((Map<?, ?>) row).get("id")));
        wanted.removeAll(found.keySet());
        if (!wanted.isEmpty()) {
            throw new IllegalArgumentException("adapters.yaml names accounts that do not exist: "
                    + String.join(", ", wanted) + "; leave account: out for the operator's own");
        }
        return found;
    }

    private static String shown(Adapter adapter) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("type", adapter.type().word());
        shown.put("source", adapter.source());
        shown.put("max_body", adapter.maxBody());
        shown.put("body_timeout_ms", adapter.bodyTimeout().toMillis());
        shown.put("queues", new TreeSet<>(adapter.rules().queues()));
        shown.put("has_secret", adapter.offReason().isEmpty());
        return Json.text(shown);
    }
}
