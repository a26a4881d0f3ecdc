package hub;

import access.Credential;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** {@code operator.token} in the data folder: the operator's credential in clear, for its owner alone (mode 0600). */
final class OperatorTokenFile {
    private OperatorTokenFile() {}

    static boolean exists(HubConfig config) {
        return Files.exists(config.operatorTokenFile());
    }

    /** Whole or not at all: a crash leaves the former file. */
    static void write(HubConfig config, Credential credential) {
        Path file = config.operatorTokenFile();
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Path fresh = Files.createTempFile(
                    file.toAbsolutePath().getParent(),
                    "operator",
                    ".token",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(fresh, (credential.reveal() + "\n").getBytes(StandardCharsets.UTF_8));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new StartFailure(
                    "the operator credential cannot be written to " + file + " (" + e.getMessage()
                            + "); make the folder writable, then ./switchboard operator rotate",
                    e);
        }
    }
}
