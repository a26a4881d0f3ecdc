package remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import fixtures.Certificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import model.Refusal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is fetched is bounded in size, time and number, and nothing but HTTPS is spoken. */
@Timeout(60)
class HttpsDocumentsTest {
    private static final Duration DAY = Duration.ofDays(1);

    @TempDir
    private static Path folder;

    private static Certificate certificate;

    private final AtomicInteger asked = new AtomicInteger();
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private HttpsServer server;
    private HttpsDocuments documents;
    private volatile int status = 200;
    private volatile byte[] document = "keys".getBytes(StandardCharsets.UTF_8);
    private volatile CountDownLatch held = new CountDownLatch(0);

    @BeforeAll
    static void makeCertificate() {
        certificate = Certificate.selfSignedFor("localhost", folder);
    }

    @BeforeEach
    void start() throws IOException, GeneralSecurityException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificate.server()));
        server.setExecutor(workers);
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            try {
                held.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            exchange.getResponseHeaders().add("Location", "https://localhost/elsewhere");
            exchange.sendResponseHeaders(status, document.length);
            exchange.getResponseBody().write(document);
            exchange.close();
        });
        server.start();
        documents = new HttpsDocuments(certificate.client());
    }

    @AfterEach
    void stop() {
        held.countDown();
        server.stop(0);
        workers.shutdownNow();
    }

    private URI address() {
        return URI.create("https://localhost:" + server.getAddress().getPort() + "/certs?token=hush");
    }

    private void assertUnavailable(HttpsDocuments from, URI address, Duration maxAge) {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> from.at(address, maxAge))
                .satisfies(refusal -> {
                    assertThat(refusal.code()).isEqualTo(Refusal.Code.KEYS_UNAVAILABLE);
                    assertThat(refusal.getMessage()).doesNotContain("hush");
                });
    }

    @Test
    void documentIsFetchedOnceAndAgainWhenItIsOld() {
        assertThat(documents.at(address(), DAY)).asString().isEqualTo("keys");
        assertThat(documents.at(address(), DAY)).asString().isEqualTo("keys");
        assertThat(asked).hasValue(1);

        documents.at(address(), Duration.ZERO);

        assertThat(asked).hasValue(2);
    }

    @Test
    void failureIsNotTriedAgainAtOnce() {
        status = 500;

        for (int i = 0; i < 3; i++) {
            assertUnavailable(documents, address(), DAY);
        }

        assertThat(asked).hasValue(1);
    }

    @Test
    void redirectsAreNotFollowedAndLargeDocumentsNotRead() {
        status = 302;
        assertUnavailable(documents, address(), DAY);

        status = 200;
        document = new byte[(256 << 10) + 1];
        assertUnavailable(new HttpsDocuments(trusted()), address(), DAY);
    }

    private static javax.net.ssl.SSLContext trusted() {
        try {
            return certificate.client();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void manyWhoWaitAskOnceAndNobodyWaitsForLong() throws Exception {
        held = new CountDownLatch(1);
        Future<?>[] waiting = new Future<?>[8];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = workers.submit(() -> assertUnavailable(documents, address(), DAY));
        }
        for (Future<?> one : waiting) {
            one.get();
        }
        assertThat(asked).hasValue(1);
    }

    @Test
    void serverThatNobodyVouchesForAndPlainHttpAreRefused() {
        assertUnavailable(new HttpsDocuments(), address(), DAY);
        assertUnavailable(
                documents, URI.create("http://localhost:" + server.getAddress().getPort() + "/"), DAY);
        assertThat(asked).hasValue(0);
    }
}
