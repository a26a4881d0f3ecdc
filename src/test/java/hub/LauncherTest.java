package hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's own decisions: when it builds, what it runs, what it says when something is missing. */
class LauncherTest {
    private static final String BUILDS = "switchboard: building";

    @TempDir
    Path folder;

    private Path home;
    private Path tools;
    private Path elsewhere;

    /** A checkout, and a java and a mvn that say what they were asked. */
    @BeforeEach
    void aCheckout() throws IOException {
        home = Files.createDirectories(folder.toRealPath().resolve("a checkout"));
        elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        Files.copy(Path.of("switchboard"), home.resolve("switchboard"));
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        Files.createDirectories(home.resolve("src/main/java"));
        Files.writeString(home.resolve("src/main/java/A.java"), "class A {}");
        tools = Files.createDirectories(folder.resolve("jdk/bin"));
        program("java", "printf 'java %s\\n' \"$*\"");
        program("mvn", "mkdir -p target && touch target/switchboard.jar && echo \"mvn $* in $PWD\"");
        java("17.0.15");
    }

    @Test
    void itBuildsOnceAndThenOnlyRuns() throws Exception {
        assertThat(launched("--version")).contains(BUILDS, "-DskipTests package in " + home);
        assertThat(launched("--version"))
                .doesNotContain(BUILDS)
                .contains("-jar " + home.resolve("target/switchboard.jar"));
    }

    @Test
    void whatIsNewerThanTheJarIsBuiltOnceMore() throws Exception {
        launched();
        Files.setLastModifiedTime(
                home.resolve("src/main/java/A.java"),
                FileTime.from(Instant.now().plusSeconds(1)));

        assertThat(launched()).contains(BUILDS);
    }

    @Test
    void aBuildThatHadNothingToChangeIsNotRepeated() throws Exception {
        launched();
        // the jar is older than a source that was only touched, and Maven leaves it so
        FileTime past = FileTime.from(Instant.now().minusSeconds(100));
        Files.setLastModifiedTime(home.resolve("target/switchboard.jar"), past);

        assertThat(launched()).doesNotContain(BUILDS);
    }

    @Test
    void itPassesItsArgumentsOnAndStartsWithTheClassDataArchive() throws Exception {
        launched();

        assertThat(launched("send", "github", "a file.json"))
                .contains("-XX:SharedArchiveFile=" + home.resolve("target/switchboard.jsa"), "-Xshare:auto")
                .endsWith("switchboard.jar send github a file.json\n");
    }

    @Test
    void itWorksThroughASymbolicLinkFromAnyFolder() throws Exception {
        Path link = Files.createSymbolicLink(elsewhere.resolve("hub"), Path.of("../a checkout/switchboard"));

        assertThat(run(List.of(link.toString()), 0)).contains("-jar " + home.resolve("target/switchboard.jar"));
        assertThat(run(List.of("./hub"), 0)).contains("-jar " + home.resolve("target/switchboard.jar"));
    }

    @Test
    void anOldJavaIsNamedTogetherWithTheOneThatIsNeeded() throws Exception {
        java("11.0.22");

        assertThat(run(List.of(home.resolve("switchboard").toString()), 1))
                .contains("Java 11", "JDK 17 or newer")
                .doesNotContain(BUILDS);
    }

    @Test
    void aMissingMavenIsNamed() throws Exception {
        Files.delete(tools.resolve("mvn"));

        assertThat(run(List.of(home.resolve("switchboard").toString()), 1)).contains("mvn is missing", "Maven 3.8");
    }

    @Test
    void aFailedBuildStartsNothing() throws Exception {
        program("mvn", "echo 'COMPILATION ERROR' >&2; exit 1");

        assertThat(run(List.of(home.resolve("switchboard").toString()), 1))
                .contains("COMPILATION ERROR", "the build failed")
                .doesNotContain("java -XX");
    }

    private String launched(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("switchboard").toString()));
        command.addAll(List.of(arguments));
        return run(command, 0);
    }

    /** Both streams of a run in another folder. */
    private String run(List<String> command, int status) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(elsewhere.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", tools + ":" + systemTools());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(status);
        return said;
    }

    /** bash and the like, without the machine's own java and mvn. */
    private Path systemTools() throws IOException {
        Path folder = Files.createDirectories(this.folder.resolve("system"));
        for (String tool : List.of("bash", "env", "dirname", "readlink", "sed", "find", "touch", "mkdir")) {
            Path link = folder.resolve(tool);
            if (!Files.exists(link)) {
                Files.createSymbolicLink(link, found(tool));
            }
        }
        return folder;
    }

    private static Path found(String tool) {
        for (String place : System.getenv("PATH").split(":")) {
            Path candidate = Path.of(place, tool);
            if (Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        throw new IllegalStateException("this machine has no " + tool);
    }

    private void java(String version) throws IOException {
        Files.writeString(tools.resolveSibling("release"), "JAVA_VERSION=\"" + version + "\"\n");
    }

    private void program(String name, String script) throws IOException {
        Path file = tools.resolve(name);
        Files.writeString(file, "#!/usr/bin/env bash\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
