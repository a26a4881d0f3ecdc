package routes;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.camel.Exchange;
import org.apache.camel.RuntimeExchangeException;
import org.apache.camel.component.sql.DefaultSqlPrepareStatementStrategy;

/**
 * Finds the parameters of a statement once. Camel's own strategy searches the text for them four times at every run, which is
 * a tenth of what a small transaction costs the hub; our statements are files and never change.
 */
final class FixedStatements extends DefaultSqlPrepareStatementStrategy {
    /** As camel-sql hands statements over: its {@code #} is a question mark by then. */
    private static final Pattern PARAMETER = Pattern.compile(":\\?(\\w+)");

    private record Statement(String prepared, List<String> parameters) {}

    private final Map<String, Statement> statements = new ConcurrentHashMap<>();

    @Override
    public String prepareQuery(String query, boolean allowNamedParameters, Exchange exchange) {
        return statement(query).prepared;
    }

    @Override
    public Iterator<?> createPopulateIterator(
            String query, String preparedQuery, int expectedParams, Exchange exchange, Object value) {
        Map<?, ?> body = value instanceof Map<?, ?> map ? map : Map.of();
        List<Object> values = new ArrayList<>(expectedParams);
        for (String parameter : statement(query).parameters) {
            if (body.containsKey(parameter)) {
                values.add(body.get(parameter));
            } else if (exchange.getMessage().getHeaders().containsKey(parameter)) {
                values.add(exchange.getMessage().getHeader(parameter));
            } else {
                throw new RuntimeExchangeException(
                        "neither body nor headers have the parameter " + parameter + " of " + query, exchange);
            }
        }
        return values.iterator();
    }

    private Statement statement(String query) {
        return statements.computeIfAbsent(query, FixedStatements::parsed);
    }

    private static Statement parsed(String query) {
        List<String> parameters =
                PARAMETER.matcher(query).results().map(found -> found.group(1)).toList();
        return new Statement(PARAMETER.matcher(query).replaceAll("?"), parameters);
    }
}
