package claims;

import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.ProducerTemplate;

/** Runs the statements of {@code routes.DeskRoutes} and hands their rows over; when it returns, they are committed. */
final class Statements {
    private final ProducerTemplate producer;

    Statements(CamelContext context) {
        this.producer = context.createProducerTemplate();
    }

    /** Rows of todos. */
    List<TodoRows.Row> todos(String direct, Map<String, Object> parameters) throws Exception {
        return rows(direct, parameters);
    }

    /** Rows of anything else, a map of columns each. */
    List<Map<String, Object>> maps(String direct, Map<String, Object> parameters) throws Exception {
        return rows(direct, parameters);
    }

    @SuppressWarnings("unchecked")
    private <T> List<T> rows(String direct, Map<String, Object> parameters) throws Exception {
        Endpoint endpoint = producer.getCamelContext().getEndpoint(direct);
        Exchange exchange = endpoint.createExchange(ExchangePattern.InOut);
        exchange.getMessage().setBody(parameters);
        producer.send(endpoint, exchange);
        if (exchange.getException() != null) {
            throw exchange.getException();
        }
        return exchange.getMessage().getBody(List.class);
    }
}
