package hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HubConfigTest {
    private static final String TOKEN = "operator-token-of-exactly-32-chr";

    @Test
    void withoutSettingsEverythingHasItsDefault() {
        HubConfig config = HubConfig.from(Map.of());

        assertThat(config.databaseUrl()).isEmpty();
        assertThat(config.listenerUrl()).isEmpty();
        assertThat(config.databaseWait()).isEmpty();
        assertThat(config.databasePoolSize()).isEqualTo(10);
        assertThat(config.databasePrograms()).isEqualTo(Path.of("data/postgres-programs"));
        assertThat(config.httpHost()).isEqualTo("127.0.0.1");
        assertThat(config.httpPort()).isEqualTo(8080);
        assertThat(config.publicUrl()).isEmpty();
        assertThat(config.adapters()).isEqualTo(Path.of("adapters.yaml"));
        assertThat(config.routes()).isEqualTo(Path.of("routes"));
        assertThat(config.dataDir()).isEqualTo(Path.of("data"));
        assertThat(config.operatorToken()).isEmpty();
        assertThat(config.committers()).isEqualTo(2);
        assertThat(config.intakeMaxBytes())
                .isEqualTo(Math.min(128L << 20, Runtime.getRuntime().maxMemory() / 4));
        assertThat(config.intakeMaxDeliveries()).isEqualTo(4096);
        assertThat(config.logFormat()).isEqualTo(HubConfig.LogFormat.TEXT);
        assertThat(config.logLevel()).isEqualTo("info");
    }

    @Test
    void everySettingIsReadFromItsVariable() {
        HubConfig config = HubConfig.builder()
                .set(HubConfig.Key.DATABASE_URL, "postgres://me@db/hub")
                .set(HubConfig.Key.LISTENER_URL, "postgres://me@direct/hub")
                .set(HubConfig.Key.DATABASE_WAIT, 30)
                .set(HubConfig.Key.DATABASE_POOL_SIZE, 20)
                .set(HubConfig.Key.DATABASE_PROGRAMS, "/opt/programs")
                .set(HubConfig.Key.HTTP_HOST, "0.0.0.0")
                .set(HubConfig.Key.HTTP_PORT, 0)
                .set(HubConfig.Key.PUBLIC_URL, "https://hooks.example.com/hub")
                .set(HubConfig.Key.ADAPTERS, "/etc/hub/adapters.yaml")
                .set(HubConfig.Key.ROUTES, "/etc/hub/routes")
                .set(HubConfig.Key.DATA_DIR, "/var/lib/hub")
                .set(HubConfig.Key.OPERATOR_TOKEN, TOKEN)
                .set(HubConfig.Key.COMMITTERS, 4)
                .set(HubConfig.Key.INTAKE_MAX_BYTES, "256 MiB")
                .set(HubConfig.Key.INTAKE_MAX_DELIVERIES, 100)
                .set(HubConfig.Key.LOG_FORMAT, "JSON")
                .set(HubConfig.Key.LOG_LEVEL, "debug")
                .variable("GITHUB_WEBHOOK_SECRET", "s3cret")
                .build();

        assertThat(config.databaseUrl()).hasToString("Optional[postgres://me@db:5432/hub]");
        assertThat(config.listenerUrl()).hasToString("Optional[postgres://me@direct:5432/hub]");
        assertThat(config.databaseWait()).contains(Duration.ofSeconds(30));
        assertThat(config.databasePoolSize()).isEqualTo(20);
        assertThat(config.databasePrograms()).isEqualTo(Path.of("/opt/programs"));
        assertThat(config.httpHost()).isEqualTo("0.0.0.0");
        assertThat(config.httpPort()).isZero();
        assertThat(config.publicUrl()).contains(URI.create("https://hooks.example.com/hub"));
        assertThat(config.adapters()).isEqualTo(Path.of("/etc/hub/adapters.yaml"));
        assertThat(config.routes()).isEqualTo(Path.of("/etc/hub/routes"));
        assertThat(config.dataDir()).isEqualTo(Path.of("/var/lib/hub"));
        assertThat(config.operatorToken()).contains(TOKEN);
        assertThat(config.committers()).isEqualTo(4);
        assertThat(config.intakeMaxBytes()).isEqualTo(256L << 20);
        assertThat(config.intakeMaxDeliveries()).isEqualTo(100);
        assertThat(config.logFormat()).isEqualTo(HubConfig.LogFormat.JSON);
        assertThat(config.logLevel()).isEqualTo("debug");
        assertThat(config.environment()).containsEntry("GITHUB_WEBHOOK_SECRET", "s3cret");
    }

    @Test
    void anUnknownSettingIsAnErrorThatNamesTheNearest() {
        assertThatThrownBy(() -> HubConfig.from(Map.of("SWITCHBOARD_HTTP_PROT", "8080")))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("SWITCHBOARD_HTTP_PROT")
                .hasMessageContaining("Did you mean SWITCHBOARD_HTTP_PORT?");
    }

    @Test
    void anotherProgramsVariableIsNobodysBusiness() {
        assertThat(HubConfig.from(Map.of("SWITCH", "1", "PATH", "/bin")).httpPort())
                .isEqualTo(8080);
    }

    @Test
    void everythingThatIsWrongIsSaidAtOnce() {
        Map<String, String> environment = Map.of(
                "SWITCHBOARD_HTTP_PORT", "65536",
                "SWITCHBOARD_DATABASE_WAIT", "soon",
                "SWITCHBOARD_OPERATOR_TOKEN", "short",
                "SWITCHBOARD_PORT", "1");

        assertThatThrownBy(() -> HubConfig.from(environment))
                .hasMessageContaining("4 problems")
                .hasMessageContaining("SWITCHBOARD_HTTP_PORT must be a whole number from 0 to 65535 (it is '65536')")
                .hasMessageContaining("SWITCHBOARD_DATABASE_WAIT must be")
                .hasMessageContaining("SWITCHBOARD_OPERATOR_TOKEN must have at least 32 characters, has 5")
                .hasMessageContaining("SWITCHBOARD_PORT is no setting");
    }

    @Test
    void anEmptyValueIsAnUnsetOne() {
        HubConfig config = HubConfig.from(Map.of(
                "SWITCHBOARD_OPERATOR_TOKEN", "",
                "SWITCHBOARD_DATABASE_URL", " ",
                "SWITCHBOARD_HTTP_PORT", ""));

        assertThat(config.operatorToken()).isEmpty();
        assertThat(config.databaseUrl()).isEmpty();
        assertThat(config.httpPort()).isEqualTo(8080);
    }

    @Test
    void noSecretIsPrinted() {
        HubConfig config = HubConfig.builder()
                .set(HubConfig.Key.DATABASE_URL, "postgres://me:pass-w0rd@db/hub")
                .set(HubConfig.Key.LISTENER_URL, "jdbc:postgresql://db/hub?user=me&password=pass-w0rd")
                .set(HubConfig.Key.OPERATOR_TOKEN, TOKEN)
                .set(HubConfig.Key.HTTP_PORT, 9000)
                .variable("GITHUB_WEBHOOK_SECRET", "s3cret")
                .build();

        assertThat(config.toString())
                .contains("HTTP_PORT=9000", "DATABASE_URL=postgres://me@db:5432/hub", "OPERATOR_TOKEN=«redacted»")
                .doesNotContain("pass-w0rd", TOKEN, "s3cret");
    }

    @Test
    void noSecretStandsInAProblem() {
        Map<String, String> environment = Map.of(
                "SWITCHBOARD_OPERATOR_TOKEN", "hidden but too short",
                "SWITCHBOARD_DATABASE_URL", "mysql://me:hidden@db/hub",
                "SWITCHBOARD_LISTENER_URL", "postgres://me:hidden@db:port/hub");

        assertThatThrownBy(() -> HubConfig.from(environment))
                .hasMessageContaining("3 problems")
                .hasMessageNotContaining("hidden");
    }

    @ParameterizedTest
    @CsvSource({
        "INTAKE_MAX_BYTES, 12 parsecs",
        "INTAKE_MAX_BYTES, 1023 KiB",
        "INTAKE_MAX_BYTES, 999999999999999 GiB",
        "PUBLIC_URL, hooks.example.com",
        "PUBLIC_URL, https://user@hooks.example.com",
        "PUBLIC_URL, ftp://hooks.example.com",
        "HTTP_HOST, http://localhost",
        "COMMITTERS, 0",
        "DATABASE_POOL_SIZE, 1.5",
        "DATABASE_WAIT, -1",
        "LOG_FORMAT, xml",
        "LOG_LEVEL, chatty",
        "OPERATOR_TOKEN, 'has a space in it, and is long enough'"
    })
    void whatCannotBeMeantIsRefusedByName(HubConfig.Key key, String value) {
        assertThatThrownBy(() -> HubConfig.builder().set(key, value).build())
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining(key.variable() + " must");
    }

    @ParameterizedTest
    @CsvSource({"1048576, 1048576", "64MiB, 67108864", "2 gib, 2147483648", "2048KiB, 2097152"})
    void bytesAreWrittenWithOrWithoutAUnit(String written, long bytes) {
        assertThat(HubConfig.builder()
                        .set(HubConfig.Key.INTAKE_MAX_BYTES, written)
                        .build()
                        .intakeMaxBytes())
                .isEqualTo(bytes);
    }
}
