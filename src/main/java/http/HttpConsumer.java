package http;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.camel.Processor;
import org.apache.camel.Route;
import org.apache.camel.Suspendable;
import org.apache.camel.component.platform.http.PlatformHttpEndpoint;
import org.apache.camel.component.platform.http.spi.Method;
import org.apache.camel.component.platform.http.spi.PlatformHttpConsumer;
import org.apache.camel.component.platform.http.spi.PlatformHttpConsumerAware;
import org.apache.camel.support.DefaultConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of one {@code platform-http:} route. Honours the endpoint's path, httpMethodRestrict, matchOnUriPrefix and
 * consumes. Suspended, it refuses new requests, tells the calls that wait, and lets the rest end.
 */
final class HttpConsumer extends DefaultConsumer implements PlatformHttpConsumer, Suspendable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConsumer.class);

    /** How long a stopping route waits for answers that are on their way to the wire, in milliseconds. */
    private static final long LAST_ANSWERS = 2_000;

    private final HttpEngine engine;
    private final PathPattern pattern;
    private final Set<String> methods;
    private final List<String> mediaTypes;
    private final Set<Call> open = ConcurrentHashMap.newKeySet();

    HttpConsumer(HttpEngine engine, PlatformHttpEndpoint endpoint, Processor processor) {
        super(endpoint, processor);
        this.engine = engine;
        this.pattern = PathPattern.of(endpoint.getPath(), endpoint.isMatchOnUriPrefix());
        this.methods = methods(endpoint.getHttpMethodRestrict());
        this.mediaTypes = mediaTypes(endpoint);
    }

    @Override
    public PlatformHttpEndpoint getEndpoint() {
        return (PlatformHttpEndpoint) super.getEndpoint();
    }

    PathPattern pattern() {
        return pattern;
    }

    /** The methods that the route takes; where GET is one, HEAD is too. */
    Set<String> methods() {
        return methods;
    }

    /** Whether the route takes a body of that content type; null when the request names none. */
    boolean consumes(String contentType) {
        if (mediaTypes.isEmpty()) {
            return true;
        }
        if (contentType == null) {
            return mediaTypes.contains("*/*");
        }
        String sent = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        String family = sent.split("/", 2)[0] + "/*";
        return mediaTypes.contains(sent) || mediaTypes.contains(family) || mediaTypes.contains("*/*");
    }

    void opened(Call call) {
        open.add(call);
        // a suspension since the call was let in, while its body arrived, has not seen it
        if (!isStarted() || engine.isGoingAway()) {
            call.hubStops();
        }
    }

    void closed(Call call) {
        open.remove(call);
    }

    void tellOpenCalls() {
        open.forEach(Call::hubStops);
    }

    /** Waits for the answers that have been made and not yet been sent. */
    void awaitLastAnswers() {
        CompletableFuture<?>[] answers = open.stream().map(Call::answered).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(answers).get(LAST_ANSWERS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            LOG.warn("a route stops with calls that have no answer path={} calls={}", pattern.template(), open.size());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible); // an answer is only ever completed
        }
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        learnRoute();
        engine.routes().add(this);
    }

    @Override
    protected void doSuspend() {
        tellOpenCalls();
    }

    @Override
    protected void doStop() throws Exception {
        engine.routes().remove(this);
        tellOpenCalls();
        awaitLastAnswers();
        super.doStop();
    }

    /** Camel tells a route to the consumer that stands before this one, and does so before this one exists. */
    private void learnRoute() {
        for (Route route : getEndpoint().getCamelContext().getRoutes()) {
            if (route.getConsumer() instanceof PlatformHttpConsumerAware before
                    && before.getPlatformHttpConsumer() == this) {
                setRoute(route);
                setRouteId(route.getRouteId());
            }
        }
    }

    private static Set<String> methods(String restrict) {
        Set<String> methods = new LinkedHashSet<>();
        Method.parseList(restrict).forEach(method -> methods.add(method.name()));
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        return Set.copyOf(methods);
    }

    private static List<String> mediaTypes(PlatformHttpEndpoint endpoint) {
        if (endpoint.getConsumes() == null || !endpoint.getComponent().isServerRequestValidation()) {
            return List.of();
        }
        return Arrays.stream(endpoint.getConsumes().split(","))
                .map(type -> type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .toList();
    }
}
