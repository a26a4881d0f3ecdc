package routes;

import static routes.Storage.sql;

import claims.Attempts;
import claims.Desk;
import claims.Sweeps;
import claims.Todos;
import org.apache.camel.builder.RouteBuilder;

/** The statements of a todo's life, one route each; every one is a transaction of its own. */
public final class DeskRoutes extends RouteBuilder {
    @Override
    public void configure() {
        // who asked handles the failure
        errorHandler(noErrorHandler());

        from(Desk.CLAIM).routeId("claim-todos").to(todos("claims/claim"));
        from(Desk.QUEUES_WITH_WORK).routeId("claim-queues-with-work").to(sql("claims/queues_with_work"));
        from(Desk.LIVE_CREDENTIALS).routeId("claim-live-credentials").to(sql("access/live_credentials"));
        from(Desk.PAYLOADS).routeId("claim-payloads").to(sql("claims/payloads"));

        from(Attempts.CLAIM_ONE).routeId("attempt-claim-one").to(todos("claims/claim_one"));
        from(Attempts.HEARTBEAT).routeId("attempt-heartbeat").to(todos("claims/heartbeat"));
        from(Attempts.COMPLETE).routeId("attempt-complete").to(todos("claims/complete"));
        from(Attempts.FAIL).routeId("attempt-fail").to(todos("claims/fail"));
        from(Attempts.RELEASE).routeId("attempt-release").to(todos("claims/release"));

        from(Todos.CREATE).routeId("todo-create-all").to(todos("todos/create"));
        from(Todos.LIVE_TWINS).routeId("todo-live-twins").to(todos("todos/live_twins"));
        from(Todos.GET).routeId("todo-get").to(todos("todos/get"));
        from(Todos.ATTEMPTS).routeId("todo-attempts").to(sql("todos/attempts"));
        from(Todos.EVENT_BODY).routeId("todo-event-body").to(sql("todos/event_body"));
        from(Todos.LIST).routeId("todo-list-all").to(todos("todos/list"));
        from(Todos.LIST_QUEUES).routeId("todo-list-queues").to(todos("todos/list_queues"));

        // the event first, as the pruner does
        from(Todos.RETRY)
                .routeId("todo-retry-one")
                .errorHandler(Storage.callerHandlesFailures())
                .transacted()
                .to(sql("todos/lock_event", "TodoEventLocked"))
                .to(todos("todos/retry"));

        from(Sweeps.REAP).routeId("reap-lapsed").to(sql("claims/reap"));
        from(Sweeps.SETTLE).routeId("settle-ended").to(sql("claims/settle"));
        from(Sweeps.PROMOTE).routeId("promote-ripe").to(sql("claims/promote"));
    }

    /** Rows as {@code claims} reads them, without a map for each. */
    private static String todos(String file) {
        return sql(file) + "&rowMapperFactory=#class:claims.TodoRows";
    }
}
