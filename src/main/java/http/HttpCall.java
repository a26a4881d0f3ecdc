package http;

import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.camel.Exchange;

/**
 * The HTTP request behind an exchange, as it was sent, and the news that nobody waits for its answer any more.
 *
 * <p>What matters is read here and not from Camel's message headers: there, path parameters and Camel's own headers
 * stand beside what the client sent.
 */
public final class HttpCall {
    /** The exchange property that holds the call; in Simple, {@code ${exchangeProperty.HttpCall.queryParam('x')}}. */
    public static final String PROPERTY = "HttpCall";

    /** Why nobody waits for the answer any more. */
    public enum Gone {
        /** The connection or the HTTP/2 stream was closed by the other side. */
        CLIENT,
        /** The hub stops; an early, empty answer still reaches the client. */
        SHUTDOWN
    }

    private final String method;
    private final String path;
    private final String remoteAddress;
    private final String url;
    private final Map<String, String> headers;
    private final MultiMap query;
    private final Map<String, String> pathParams;
    private final byte[] body;

    private final List<Consumer<Gone>> listeners = new ArrayList<>();
    private Gone gone;

    HttpCall(
            RequestHead head,
            Admission admission,
            MultiMap headers,
            MultiMap query,
            Map<String, String> pathParams,
            byte[] body) {
        this.method = head.method();
        this.path = head.path();
        this.remoteAddress = admission.client() == null ? head.remoteAddress() : admission.client();
        this.url = admission.url() == null ? "http://" + headers.get("Host") + head.target() : admission.url();
        this.headers = joined(headers);
        this.query = query;
        this.pathParams = pathParams;
        this.body = body;
    }

    /** The call behind an exchange that came in over {@code platform-http:}. */
    public static HttpCall of(Exchange exchange) {
        HttpCall call = exchange.getProperty(PROPERTY, HttpCall.class);
        if (call == null) {
            throw new IllegalStateException("exchange " + exchange.getExchangeId() + " of route "
                    + exchange.getFromRouteId() + " did not come in over platform-http: it has no HTTP call");
        }
        return call;
    }

    /** As sent: a HEAD request that a GET route serves says {@code HEAD}. */
    public String method() {
        return method;
    }

    /** Normalised, without a trailing slash; reserved characters stay percent-encoded. */
    public String path() {
        return path;
    }

    /** The IP address of who calls, without a port or a zone: the peer's, or what a trusted proxy forwarded. */
    public String remoteAddress() {
        return remoteAddress;
    }

    /** The address that was called, as the sender knows it, with the query exactly as sent. */
    public String url() {
        return url;
    }

    /** Names in lower case, repeated values joined by a comma and a space; nothing that poses as Camel's own. */
    public Map<String, String> headers() {
        return headers;
    }

    /** The header of that name, in any case; null if it was not sent. */
    public String header(String name) {
        return headers.get(name.toLowerCase(Locale.ROOT));
    }

    /** The first query parameter of exactly that name, decoded; null if there is none. */
    public String queryParam(String name) {
        List<String> values = queryParams(name);
        return values.isEmpty() ? null : values.get(0);
    }

    /** Every query parameter of exactly that name, decoded, in the order sent. */
    public List<String> queryParams(String name) {
        return query.getAll(name);
    }

    /** The part of the path that the route calls {@code {name}}, decoded; null if the route has no such part. */
    public String pathParam(String name) {
        return pathParams.get(name);
    }

    /** The body byte for byte, whatever its content type; empty, never null. Not a copy: do not change it. */
    public byte[] body() {
        return body;
    }

    /** Why nobody waits any more; null as long as somebody does. */
    public synchronized Gone gone() {
        return gone;
    }

    /**
     * Calls the listener once, on an HTTP worker, when nobody waits for the answer any more; at once and on the calling
     * thread if that is so already. A call that is answered first never hears of it.
     */
    public void onGone(Consumer<Gone> listener) {
        Gone already;
        synchronized (this) {
            already = gone;
            if (already == null) {
                listeners.add(listener);
            }
        }
        if (already != null) {
            listener.accept(already);
        }
    }

    /** Marks the call as gone and returns who must be told: nobody when it was gone before. */
    synchronized List<Consumer<Gone>> leave(Gone why) {
        if (gone != null) {
            return List.of();
        }
        gone = why;
        List<Consumer<Gone>> told = List.copyOf(listeners);
        listeners.clear();
        return told;
    }

    Map<String, String> pathParams() {
        return pathParams;
    }

    private static Map<String, String> joined(MultiMap sent) {
        Map<String, String> joined = new LinkedHashMap<>();
        sent.forEach((name, value) -> {
            String key = name.toLowerCase(Locale.ROOT);
            if (!key.startsWith("camel") && !key.startsWith("org.apache.camel.")) {
                joined.merge(key, value, (first, next) -> first + ", " + next);
            }
        });
        return Collections.unmodifiableMap(joined);
    }
}
