package routes;

import static routes.Storage.sql;

import claims.Attempts;
import claims.Desk;
import claims.Sweeps;
import claims.Todos;
import org.apache.camel.builder.RouteBuilder;

/** The statements of a todo's life, one route each; every one is a transaction of its own. */
public final class DeskRoutes extends RouteBuilder {
    /** Rows as {@code claims} reads them, without a map for each. */
    private static final String AS_TODOS = "&rowMapperFactory=#class:claims.TodoRows";

    @Override
    public void configure() {
        // who asked handles the failure
        errorHandler(noErrorHandler());

        from(Desk.CLAIM).routeId("claim-todos").to(sql("claims/claim") + AS_TODOS);
        from(Desk.QUEUES_WITH_WORK).routeId("claim-queues-with-work").to(sql("claims/queues_with_work"));
        from(Desk.PAYLOADS).routeId("claim-payloads").to(sql("claims/payloads"));

        from(Attempts.CLAIM_ONE).routeId("attempt-claim-one").to(sql("claims/claim_one") + AS_TODOS);
        from(Attempts.HEARTBEAT).routeId("attempt-heartbeat").to(sql("claims/heartbeat") + AS_TODOS);
        from(Attempts.COMPLETE).routeId("attempt-complete").to(sql("claims/complete") + AS_TODOS);
        from(Attempts.FAIL).routeId("attempt-fail").to(sql("claims/fail") + AS_TODOS);
        from(Attempts.RELEASE).routeId("attempt-release").to(sql("claims/release") + AS_TODOS);

        from(Todos.CREATE).routeId("todo-create-all").to(sql("todos/create") + AS_TODOS);
        from(Todos.LIVE_TWINS).routeId("todo-live-twins").to(sql("todos/live_twins") + AS_TODOS);
        from(Todos.GET).routeId("todo-get").to(sql("todos/get") + AS_TODOS);
        from(Todos.ATTEMPTS).routeId("todo-attempts").to(sql("todos/attempts"));
        from(Todos.EVENT_BODY).routeId("todo-event-body").to(sql("todos/event_body"));
        from(Todos.LIST).routeId("todo-list-all").to(sql("todos/list") + AS_TODOS);
        from(Todos.LIST_QUEUE).routeId("todo-list-queue").to(sql("todos/list_queue") + AS_TODOS);

        // the event first, as the pruner does
        from(Todos.RETRY)
                .routeId("todo-retry-one")
                .errorHandler(Storage.callerHandlesFailures())
                .transacted()
                .to(sql("todos/lock_event", "TodoEventLocked"))
                .to(sql("todos/retry") + AS_TODOS);

        from(Sweeps.REAP).routeId("reap-lapsed").to(sql("claims/reap"));
        from(Sweeps.PROMOTE).routeId("promote-ripe").to(sql("claims/promote"));
    }
}
