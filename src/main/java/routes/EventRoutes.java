package routes;

import static routes.Storage.sql;

import access.Caller;
import access.Gate;
import access.Right;
import http.HttpCall;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;

/** What arrived, for those who may look: pages, one event, its bytes. */
public final class EventRoutes extends RouteBuilder {
    private static final String LIST = "direct:event-list-all";
    private static final String LIST_SOURCE = "direct:event-list-source";
    /** Exchange property: which of the two. */
    private static final String LISTED_BY = "EventList";

    private final Gate gate;

    public EventRoutes(Gate gate) {
        this.gate = gate;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/v1/events?httpMethodRestrict=GET")
                .routeId("event-list")
                .process(gate.lets(Right.EVENTS))
                .process(EventRoutes::readQuery)
                // two statements, because each filter has an index of its own
                .toD("${exchangeProperty." + LISTED_BY + "}")
                .process(EventRoutes::answerPage);
        from(LIST).routeId("event-list-all").to(sql("events/list"));
        from(LIST_SOURCE).routeId("event-list-source").to(sql("events/list_source"));

        from("platform-http:/v1/events/{id}?httpMethodRestrict=GET")
                .routeId("event-get")
                .process(gate.lets(Right.EVENTS))
                .process(EventRoutes::readId)
                .to(sql("events/find"))
                .process(EventRoutes::answerOne);

        from("platform-http:/v1/events/{id}/payload?httpMethodRestrict=GET")
                .routeId("event-payload")
                .process(gate.lets(Right.EVENTS))
                .process(EventRoutes::readId)
                .to(sql("events/payload"))
                .process(EventRoutes::answerPayload);
    }

    private static void readQuery(Exchange exchange) {
        QueryParameters query = QueryParameters.of(HttpCall.of(exchange));
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("account_id", Caller.of(exchange).accountId());
        parameters.put("queues", Caller.of(exchange).queuesOrNull());
        parameters.put("source", query.text("source"));
        parameters.put("type", query.text("type"));
        parameters.put("since", query.time("since"));
        int limit = query.limit();
        QueryParameters.Cursor cursor = query.cursor(QueryParameters.Cursor::parse);
        query.refuseIfWrong();
        parameters.put("before_at", cursor == null ? null : cursor.at().atOffset(java.time.ZoneOffset.UTC));
        parameters.put("before_id", cursor == null ? null : cursor.id());
        // one more than asked says whether there is another page
        parameters.put("limit", limit + 1);
        exchange.setProperty(LISTED_BY, parameters.get("source") == null ? LIST : LIST_SOURCE);
        exchange.getMessage().setBody(parameters);
    }

    private static void answerPage(Exchange exchange) {
        Map<?, ?> row = null;
        List<?> rows = exchange.getMessage().getBody(List.class);
        int limit = QueryParameters.of(HttpCall.of(exchange)).limit();
        boolean more = rows.size() > limit;
        List<?> page = more ? rows.subList(0, limit) : rows;
        if (more) {
            row = (Map<?, ?>) page.get(limit - 1);
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("events", page);
        answer.put(
                "next_cursor",
                row == null
                        ? null
                        : new QueryParameters.Cursor(((Date) row.get("received_at")).toInstant(), (Long) row.get("id"))
                                .text());
        HttpAnswers.ok(exchange, answer);
    }

    private static void readId(Exchange exchange) {
        HttpCall call = HttpCall.of(exchange);
        try {
            Map<String, Object> parameters = new HashMap<>();
            parameters.put("account_id", Caller.of(exchange).accountId());
            parameters.put("queues", Caller.of(exchange).queuesOrNull());
            parameters.put("id", Long.parseLong(call.pathParam("id")));
            exchange.getMessage().setBody(parameters);
        } catch (NumberFormatException noId) {
            throw Door.unknown(call.path());
        }
    }

    private static void answerOne(Exchange exchange) {
        HttpAnswers.ok(exchange, firstRow(exchange));
    }

    private static void answerPayload(Exchange exchange) {
        Map<?, ?> event = firstRow(exchange);
        String type = (String) event.get("content_type");
        HttpAnswers.bytes(
                exchange, 200, type == null ? "application/octet-stream" : type, (byte[]) event.get("payload"));
        // bytes of a stranger: a browser must neither guess nor run them
        exchange.getMessage().setHeader("Content-Disposition", "attachment");
        exchange.getMessage().setHeader("X-Content-Type-Options", "nosniff");
    }

    private static Map<?, ?> firstRow(Exchange exchange) {
        List<?> rows = exchange.getMessage().getBody(List.class);
        if (rows.isEmpty()) {
            throw Door.unknown(HttpCall.of(exchange).path());
        }
        return (Map<?, ?>) rows.get(0);
    }
}
