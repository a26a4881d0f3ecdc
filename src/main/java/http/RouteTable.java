package http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Which route serves which request. Reads take a snapshot, so a route that starts or stops under load disturbs no other.
 */
final class RouteTable {
    /**
     * What was found for a request.
     *
     * @param consumer the route; null when there is none for this method and content type
     * @param allowed every method that the path takes, sorted; empty when nobody serves the path
     * @param methodServed the path takes the method, so that it was the content type that did not fit
     */
    record Match(
            HttpConsumer consumer, Map<String, String> pathParams, TreeSet<String> allowed, boolean methodServed) {}

    private static final Comparator<HttpConsumer> MOST_SPECIFIC_FIRST =
            Comparator.comparing(consumer -> consumer.pattern().rank());

    private volatile List<HttpConsumer> consumers = List.of();

    synchronized void add(HttpConsumer consumer) {
        List<HttpConsumer> next = new ArrayList<>(consumers);
        next.add(consumer);
        next.sort(MOST_SPECIFIC_FIRST); // stable: of two equal ones, the first to start wins
        consumers = List.copyOf(next);
    }

    synchronized void remove(HttpConsumer consumer) {
        List<HttpConsumer> next = new ArrayList<>(consumers);
        next.remove(consumer);
        consumers = List.copyOf(next);
    }

    List<HttpConsumer> consumers() {
        return consumers;
    }

    Match find(String method, String path, String contentType, boolean hasBody) {
        TreeSet<String> allowed = new TreeSet<>();
        boolean methodServed = false;
        for (HttpConsumer consumer : consumers) {
            Optional<Map<String, String>> pathParams = consumer.pattern().match(path);
            if (pathParams.isEmpty()) {
                continue;
            }
            if (consumer.methods().contains(method)) {
                if (!hasBody || consumer.consumes(contentType)) {
                    return new Match(consumer, pathParams.get(), allowed, true);
                }
                methodServed = true;
            }
            allowed.addAll(consumer.methods());
        }
        return new Match(null, Map.of(), allowed, methodServed);
    }
}
