package remote;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import model.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verify.Documents;

/**
 * Fetches over HTTPS, without following redirects, at most 256 KiB, one request for an address at a time. What was fetched is
 * kept, also when it is no longer to be had; a failure is not tried again for five seconds.
 */
public final class HttpsDocuments implements Documents {
    private static final Logger LOG = LoggerFactory.getLogger(HttpsDocuments.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final long FAILURE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int LARGEST = 256 << 10;
    private static final int MOST = 64;

    private final HttpClient client;
    private final Map<URI, Kept> kept = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<URI, Kept> eldest) {
            return size() > MOST;
        }
    };

    /** One address: what was fetched last, and what is under way. */
    private static final class Kept {
        private byte[] document;
        private long fetchedAt;
        private long failedAt;
        private boolean failed;
        private CompletableFuture<byte[]> underWay;
    }

    /** Trusts whom the platform trusts. */
    public HttpsDocuments() {
        this(HttpClient.newBuilder());
    }

    /** @param trust who may vouch for a server */
    public HttpsDocuments(SSLContext trust) {
        this(HttpClient.newBuilder().sslContext(trust));
    }

    private HttpsDocuments(HttpClient.Builder client) {
        this.client = client.connectTimeout(TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    @Override
    public byte[] at(URI address, Duration maxAge) {
        CompletableFuture<byte[]> fetching;
        synchronized (kept) {
            Kept known = kept.computeIfAbsent(address, unseen -> new Kept());
            if (known.document != null && System.nanoTime() - known.fetchedAt < maxAge.toNanos()) {
                return known.document;
            }
            if (known.underWay == null) {
                if (known.failed && System.nanoTime() - known.failedAt < FAILURE_NANOS) {
                    throw unavailable(address, null);
                }
                known.underWay = fetch(address, known);
            }
            fetching = known.underWay;
        }
        try {
            return fetching.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw unavailable(address, stopped);
        } catch (ExecutionException | TimeoutException failure) {
            throw unavailable(address, failure);
        }
    }

    private CompletableFuture<byte[]> fetch(URI address, Kept known) {
        if (!"https".equals(address.getScheme())) {
            throw unavailable(address, null);
        }
        HttpRequest request = HttpRequest.newBuilder(address).timeout(TIMEOUT).build();
        CompletableFuture<byte[]> fetched = new CompletableFuture<>();
        client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream())
                .thenApply(HttpsDocuments::read)
                .whenComplete((document, failure) -> {
                    synchronized (kept) {
                        known.underWay = null;
                        known.failed = failure != null;
                        if (failure == null) {
                            known.document = document;
                            known.fetchedAt = System.nanoTime();
                        } else {
                            known.failedAt = System.nanoTime();
                        }
                    }
                    if (failure == null) {
                        LOG.info("fetched address={} bytes={}", shown(address), document.length);
                        fetched.complete(document);
                    } else {
                        LOG.warn("could not be fetched address={} error={}", shown(address), failure.toString());
                        fetched.completeExceptionally(failure);
                    }
                });
        return fetched;
    }

    private static byte[] read(HttpResponse<InputStream> response) {
        try (InputStream in = response.body()) {
            if (response.statusCode() != 200) {
                throw new IllegalStateException("it answers " + response.statusCode());
            }
            byte[] document = in.readNBytes(LARGEST + 1);
            if (document.length > LARGEST) {
                throw new IllegalStateException("it is larger than 256 KiB");
            }
            return document;
        } catch (IOException broken) {
            throw new IllegalStateException("it breaks off", broken);
        }
    }

    /** Without the query, which may be a token. */
    private static String shown(URI address) {
        return address.getScheme() + "://" + address.getRawAuthority() + address.getRawPath();
    }

    private static Refusal unavailable(URI address, Exception cause) {
        return new Refusal(
                Refusal.Code.KEYS_UNAVAILABLE,
                "what this delivery is verified with is not to be had from " + shown(address)
                        + "; send it again (keys_unavailable)",
                cause);
    }
}
