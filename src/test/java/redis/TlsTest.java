package redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.Certificate;
import fixtures.StoppableRedis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code rediss:}: the server's certificate is verified, its name included. TLS ends at a hop in front of Redis. */
@Timeout(120)
class TlsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @AutoClose
    private static final StoppableRedis REDIS = StoppableRedis.started();

    private static ServerSocket door;
    private static Path certificate;

    @BeforeAll
    static void openHop(@TempDir Path folder) throws Exception {
        Certificate shown = Certificate.selfSignedFor("localhost", folder);
        certificate = Files.writeString(folder.resolve("ca.pem"), shown.pem());
        door = shown.server().getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(TlsTest::accept);
    }

    @AfterAll
    static void closeHop() throws IOException {
        door.close();
    }

    @Test
    void serverIsReadWhoseCertificateAndNameAreTrusted() {
        try (Node node =
                Node.named("a", url("localhost") + "?ca=" + certificate).reading("redis-stream:safe")) {
            REDIS.add("safe", "n", 1);

            await().atMost(PATIENCE).until(() -> node.arrived().size() == 1);
            await().atMost(PATIENCE).until(() -> REDIS.pending("safe", "switchboard") == 0);
        }
    }

    @Test
    void serverWithACertificateThatNobodyVouchesForIsNotRead() {
        assertNotRead(url("localhost"));
    }

    @Test
    void serverWithACertificateForAnotherNameIsNotRead() {
        assertNotRead(url("127.0.0.1") + "?ca=" + certificate);
    }

    private static void assertNotRead(String url) {
        REDIS.add("unsafe", "n", 1);
        try (Node node = Node.named("a", url).reading("redis-stream:unsafe")) {
            await().atMost(PATIENCE).until(() -> !node.consumer().standing().well());

            assertThat(node.arrived()).isEmpty();
            assertThat(REDIS.list("XINFO", "GROUPS", "unsafe")).isEmpty();
        }
    }

    private static String url(String host) {
        return "rediss://" + host + ":" + door.getLocalPort();
    }

    private static void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), REDIS.port());
                daemon(() -> pump(client, server));
                daemon(() -> pump(server, client));
            } catch (IOException e) {
                // the door was closed
            }
        }
    }

    /** Until one side ends, and then both do; a handshake that is refused is such an end. */
    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // the other side is gone
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "tls-hop");
        thread.setDaemon(true);
        thread.start();
    }
}
