package hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hub.ServerPrograms.Platform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerProgramsTest {
    @ParameterizedTest
    @ValueSource(strings = {"amd64", "aarch64"})
    void everySupportedMachineHasItsArchiveOnTheClassPath(String arch) {
        Platform platform = Platform.of("Linux", arch, path -> true);

        assertThat(ServerPrograms.class.getResource(platform.archive())).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "Windows 11, amd64, true, 'runs on Linux, this is Windows 11'",
        "Mac OS X, aarch64, true, 'runs on Linux, this is Mac OS X'",
        "Linux, riscv64, true, 'runs on amd64 and arm64, this is riscv64'",
        "Linux, amd64, false, 'needs the GNU C library'"
    })
    void elsewhereTheReasonIsNamedAndTheWayOut(String os, String arch, boolean glibc, String reason) {
        assertThatThrownBy(() -> Platform.of(os, arch, path -> glibc))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("SWITCHBOARD_DATABASE_URL");
    }

    @Test
    void programsAreUnpackedOnceAndRun(@TempDir Path folder) throws Exception {
        ServerPrograms programs = ServerPrograms.unpackedIn(folder);
        Object first = Files.getAttribute(onlyChild(folder), "unix:ino");
        ServerPrograms again = ServerPrograms.unpackedIn(folder);

        assertThat(Files.getAttribute(onlyChild(folder), "unix:ino")).isEqualTo(first);
        assertThat(programs.run("postgres", List.of("--version"), "", 30).output())
                .startsWith("postgres (PostgreSQL) " + ServerPrograms.MAJOR_VERSION + ".");
        assertThat(again.run("initdb", List.of("--version"), "", 30).ok()).isTrue();
    }

    private static Path onlyChild(Path folder) throws Exception {
        try (var children = Files.list(folder)) {
            List<Path> all = children.toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }
}
