package hub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** One hub per data folder: {@code hub.lock} is held for the life of the process, and says who holds it. */
final class HubLock implements AutoCloseable {
    private static final String NAME = "hub.lock";

    private final HeldFile file;

    private HubLock(HeldFile file) {
        this.file = file;
    }

    /** @throws StartFailure naming the hub that runs in this folder already */
    static HubLock take(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        Optional<HeldFile> held = HeldFile.hold(file);
        if (held.isEmpty()) {
            throw new StartFailure("data folder " + folder + " is in use by another hub ("
                    + Files.readString(file).strip() + "): stop that one, or give this one a folder of its own with "
                    + HubConfig.Key.DATA_DIR.variable());
        }
        held.get()
                .write("pid " + ProcessHandle.current().pid() + " since "
                        + Instant.now().truncatedTo(ChronoUnit.SECONDS) + "\n");
        return new HubLock(held.get());
    }

    /** Whether a hub, here or in another process, runs in {@code folder}. */
    static boolean isHeld(Path folder) throws IOException {
        return HeldFile.isHeld(folder.resolve(NAME));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
