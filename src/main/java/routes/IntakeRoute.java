package routes;

import static routes.Storage.sql;

import intake.Batch;
import intake.GroupCommit;
import org.apache.camel.builder.RouteBuilder;

/** The one transaction every delivery goes through: when it returns, the event and its todos are committed. */
public final class IntakeRoute extends RouteBuilder {
    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from(GroupCommit.COMMIT)
                .routeId("intake-commit")
                .errorHandler(Storage.callerHandlesFailures())
                .transacted()
                .to(sql("intake/insert_events", Batch.EVENTS))
                .process(Batch::keepTodosOfNewEvents)
                .filter(Batch::hasTodos)
                // announces each queue that got a todo: a notification leaves with the commit or not at all
                .to(sql("intake/insert_todos", Batch.TODOS))
                .end()
                .process(Batch::findSwallowed)
                .filter(Batch::hasSwallowed)
                .to(sql("intake/find_swallowers", Batch.SWALLOWERS))
                .end()
                .filter(Batch::hasDuplicates)
                .to(sql("intake/count_duplicates", Batch.MET))
                .end()
                .process(Batch::writeReceipts);

        from(GroupCommit.NEXT_BLOCK)
                .routeId("intake-next-block")
                .to(sql("intake/next_event_ids") + "&outputType=SelectOne");

        from(GroupCommit.OUTCOME).routeId("intake-outcome").to(sql("intake/commit_outcome") + "&outputType=SelectOne");
    }
}
