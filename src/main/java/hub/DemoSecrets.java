package hub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The secrets of the demo's adapters: generated once, kept in {@code demo.env} in the data folder (mode 0600, lines of
 * {@code NAME=value} that a shell can source), so that {@code send} can sign what a running demo accepts.
 */
final class DemoSecrets {
    static final String GITHUB = "GITHUB_WEBHOOK_SECRET";
    static final String HOMELAB = "HOMELAB_TOKEN";

    private static final String NAME = "demo.env";

    private DemoSecrets() {}

    /** All of them by name. */
    static Map<String, String> ensure(Path dataDir) throws IOException {
        Map<String, String> secrets = read(dataDir);
        if (!secrets.keySet().containsAll(List.of(GITHUB, HOMELAB))) {
            secrets.putIfAbsent(GITHUB, random());
            secrets.putIfAbsent(HOMELAB, random());
            write(dataDir, secrets);
        }
        return secrets;
    }

    static Optional<String> find(Path dataDir, String name) throws IOException {
        return Optional.ofNullable(read(dataDir).get(name));
    }

    private static Map<String, String> read(Path dataDir) throws IOException {
        Map<String, String> secrets = new LinkedHashMap<>();
        Path file = dataDir.resolve(NAME);
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                int equals = line.indexOf('=');
                if (equals > 0 && !line.startsWith("#")) {
                    secrets.put(
                            line.substring(0, equals).strip(),
                            line.substring(equals + 1).strip());
                }
            }
        }
        return secrets;
    }

    private static void write(Path dataDir, Map<String, String> secrets) throws IOException {
        StringBuilder text = new StringBuilder("# secrets of ./switchboard demo; delete the file for new ones\n");
        secrets.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\n'));
        Files.createDirectories(dataDir);
        Path file = dataDir.resolve(NAME);
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text, StandardOpenOption.WRITE);
    }

    private static String random() {
        byte[] bytes = new byte[24];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
