package hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseTest {
    @TempDir
    Path folder;

    @Test
    void opens() throws Exception {
        long t = System.nanoTime();
        try (Database database = Database.open(HubConfig.builder()
                .set(HubConfig.Key.DATA_DIR, folder.resolve("data"))
                .set(HubConfig.Key.DATABASE_PROGRAMS, Path.of("target/postgres-programs"))
                .build())) {
            System.out.println((System.nanoTime() - t) / 1000000 + " ms " + database.facts());
            try (Connection c = database.pool().getConnection()) {
                assertThat(c.isValid(1)).isTrue();
            }
        }
        t = System.nanoTime();
        try (Database database = Database.open(HubConfig.builder()
                .set(HubConfig.Key.DATA_DIR, folder.resolve("data"))
                .set(HubConfig.Key.DATABASE_PROGRAMS, Path.of("target/postgres-programs"))
                .build())) {
            System.out.println((System.nanoTime() - t) / 1000000 + " ms " + database.facts());
        }
        System.out.println((System.nanoTime() - t) / 1000000 + " ms closed");
    }
}
