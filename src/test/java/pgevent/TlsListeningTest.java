package pgevent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.Certificate;
import fixtures.StoppablePostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A read that times out in the middle of nothing is the normal case here, and TLS sockets are touchy about it. */
@Timeout(120)
class TlsListeningTest {
    @AutoClose
    private static final StoppablePostgres POSTGRES = StoppablePostgres.started();

    @BeforeAll
    static void switchTlsOn(@TempDir Path dir) throws Exception {
        Path data = Path.of((String) POSTGRES.value("SHOW data_directory"));
        Certificate certificate = Certificate.selfSignedFor("localhost", dir);
        Path key = data.resolve("server.key");
        Files.createFile(key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, certificate.keyPem());
        Files.writeString(data.resolve("server.crt"), certificate.pem());
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
}
