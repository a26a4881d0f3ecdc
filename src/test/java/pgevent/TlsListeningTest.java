package pgevent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.StoppablePostgres;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A read that times out in the middle of nothing is the normal case here, and TLS sockets are touchy about it. */
@Timeout(120)
class TlsListeningTest {
    private static final String STORE_PASSWORD = "changeit";

    @AutoClose
    private static final StoppablePostgres POSTGRES = StoppablePostgres.started();

    @BeforeAll
    static void switchTlsOn(@TempDir Path dir) throws Exception {
        Path data = Path.of((String) POSTGRES.value("SHOW data_directory"));
        KeyStore store = selfSigned(dir.resolve("server.p12"));
        Path key = data.resolve("server.key");
        Files.createFile(key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                key,
                pem(
                        "PRIVATE KEY",
                        store.getKey("server", STORE_PASSWORD.toCharArray()).getEncoded()));
        Files.writeString(
                data.resolve("server.crt"),
                pem("CERTIFICATE", store.getCertificate("server").getEncoded()));
        POSTGRES.execute("ALTER SYSTEM SET ssl = on");
        POSTGRES.restart();
    }

    @Test
    void quietListenerOverTlsStaysConnectedAndHearsEverythingOnce() throws Exception {
        try (Listening listening = Listening.upOn(POSTGRES, POSTGRES.jdbcUrl() + "?sslmode=require", "")) {
            int backend = listening.backend();
            assertThat(POSTGRES.value("SELECT ssl FROM pg_stat_ssl WHERE pid = ?", backend))
                    .isEqualTo(true);

            // long enough for several reads that end with nothing, and for one sign of life
            await().pollDelay(Duration.ofSeconds(7))
                    .until(() -> listening.consumer().isUp());

            listening.assertHearsEverythingOnce();
            assertThat(listening.backend()).isEqualTo(backend);
        }
    }

    private static KeyStore selfSigned(Path file) throws Exception {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        STORE_PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor(30, TimeUnit.SECONDS)).isTrue();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, STORE_PASSWORD.toCharArray());
        }
        return store;
    }

    private static String pem(String label, byte[] der) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(label, base64);
    }
}
