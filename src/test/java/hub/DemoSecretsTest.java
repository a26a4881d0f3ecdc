package hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoSecretsTest {
    @TempDir
    Path dataDir;

    @Test
    void theyAreMadeOnceAndReadableByTheirOwnerOnly() throws Exception {
        Map<String, String> first = DemoSecrets.ensure(dataDir);
        Map<String, String> second = DemoSecrets.ensure(dataDir);

        assertThat(first).containsOnlyKeys("GITHUB_WEBHOOK_SECRET", "HOMELAB_TOKEN");
        assertThat(first.values()).allMatch(secret -> secret.length() >= 32).doesNotHaveDuplicates();
        assertThat(second).isEqualTo(first);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dataDir.resolve("demo.env"))))
                .isEqualTo("rw-------");
    }

    @Test
    void sendFindsTheSecretOfARunningDemo() throws Exception {
        String secret = DemoSecrets.ensure(dataDir).get(DemoSecrets.GITHUB);

        assertThat(DemoSecrets.find(dataDir, DemoSecrets.GITHUB)).contains(secret);
        assertThat(DemoSecrets.find(dataDir, "SOMETHING_ELSE")).isEmpty();
        assertThat(DemoSecrets.find(dataDir.resolve("elsewhere"), DemoSecrets.GITHUB))
                .isEmpty();
    }

    @Test
    void theDemosHubUsesItsOwnAdaptersAndSecretsInTheSameDataFolder() {
        HubConfig config = DemoCommand.prepared(Map.of(
                "SWITCHBOARD_DATA_DIR", dataDir.toString(),
                "SWITCHBOARD_ADAPTERS", "mine.yaml",
                "GITHUB_WEBHOOK_SECRET", "mine"));

        assertThat(config.dataDir()).isEqualTo(dataDir);
        assertThat(config.adapters()).isEqualTo(dataDir.resolve("demo.adapters.yaml"));
        assertThat(config.adapters()).content().contains("{{env:GITHUB_WEBHOOK_SECRET}}");
        assertThat(config.environment().get("GITHUB_WEBHOOK_SECRET"))
                .isNotEqualTo("mine")
                .hasSizeGreaterThanOrEqualTo(32);
    }
}
