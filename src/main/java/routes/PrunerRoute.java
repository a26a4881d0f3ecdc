package routes;

import static routes.Storage.sql;

import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;

/** Once a second, deletes what retention no longer keeps; an event goes only together with all its todos. */
public final class PrunerRoute extends TimedRoutes {
    /** One run without its timer. */
    public static final String PRUNE = "direct:prune";

    static final String DUE = "direct:prune-due";
    static final String EVENTS_OVER_CAP = "direct:prune-events-over-cap";
    static final String TODOS_OVER_CAP = "direct:prune-todos-over-cap";
    static final String EVENTS = "direct:prune-events";
    static final String EVENTS_OF_TODOS = "direct:prune-events-of-todos";
    static final String TODOS = "direct:prune-todos";
    static final String KEYS = "direct:prune-keys";
    static final String AUDIT = "direct:prune-audit";
    static final String ENDED_ACCESS = "direct:prune-ended-access";
    /** In a batch: what its transaction deleted. */
    static final String DELETED = "deleted";

    private static final String LOCKED = "PrunedLocked";
    private static final String GONE = "PrunedGone";

    private final Pruner pruner;

    public PrunerRoute(Pruner pruner, Health health) {
        super(health);
        this.pruner = pruner;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        every(1_000, "prune").to(PRUNE);
        from(PRUNE).routeId("prune").bean(pruner, "prune");

        from(DUE).routeId("prune-due").to(sql("prune/due"));
        from(EVENTS_OVER_CAP).routeId("prune-events-over-cap").to(sql("prune/events_over_cap"));
        from(TODOS_OVER_CAP).routeId("prune-todos-over-cap").to(sql("prune/todos_over_cap"));
        from(TODOS).routeId("prune-todos").to(sql("prune/delete_todos"));
        from(KEYS).routeId("prune-keys").to(sql("prune/delete_keys"));
        from(ENDED_ACCESS).routeId("prune-ended-access").to(sql("prune/delete_ended_access"));
        from(AUDIT).routeId("prune-audit").to(sql("prune/delete_audit"));
        // two statements in one transaction: what is deleted was looked at under its lock
        from(EVENTS)
                .routeId("prune-events")
                .errorHandler(Storage.callerHandlesFailures())
                .transacted()
                .to(sql("prune/lock_events", LOCKED))
                .process(PrunerRoute::takeLocked)
                .to(sql("prune/delete_events", GONE))
                .process(PrunerRoute::answerLocked);
        from(EVENTS_OF_TODOS)
                .routeId("prune-events-of-todos")
                .errorHandler(Storage.callerHandlesFailures())
                .transacted()
                .to(sql("prune/lock_events_of_todos", LOCKED))
                .process(PrunerRoute::takeLocked)
                .to(sql("prune/delete_events", GONE))
                .process(PrunerRoute::answerLocked);
    }

    @SuppressWarnings("unchecked")
    private static void takeLocked(Exchange exchange) {
        List<Map<String, Object>> locked = exchange.getMessage().getHeader(LOCKED, List.class);
        exchange.getMessage()
                .getBody(Map.class)
                .put("ids", locked.stream().map(row -> row.get("id")).toArray(Long[]::new));
    }

    @SuppressWarnings("unchecked")
    private static void answerLocked(Exchange exchange) {
        List<Map<String, Object>> gone = exchange.getMessage().getHeader(GONE, List.class);
        exchange.getMessage().getBody(Map.class).put(DELETED, gone.get(0));
        exchange.getMessage().setBody(exchange.getMessage().getHeader(LOCKED));
    }
}
