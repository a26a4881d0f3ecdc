package hub;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One hub per data folder: an exclusive lock on {@code hub.lock}, held for the life of the process and given back by
 * the kernel however that ends. The file says who holds it.
 */
final class HubLock implements AutoCloseable {
    private static final String NAME = "hub.lock";

    /**
     * Data folders locked by this JVM. Looked at before the file is opened: closing any descriptor of a file gives up
     * all POSIX locks that the process holds on it.
     */
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel channel;

    private HubLock(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /** @throws StartFailure naming the hub that runs in this folder already */
    static HubLock take(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        if (!HELD_HERE.add(folder)) {
            throw inUse(folder, Files.readString(file));
        }
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (!locked(channel)) {
                String holder = Files.readString(file);
                channel.close();
                throw inUse(folder, holder);
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(("pid " + ProcessHandle.current().pid() + " since "
                            + Instant.now().truncatedTo(ChronoUnit.SECONDS) + "\n")
                    .getBytes(StandardCharsets.UTF_8)));
            return new HubLock(folder, channel);
        } catch (IOException | RuntimeException failed) {
            HELD_HERE.remove(folder);
            throw failed;
        }
    }

    /** Whether a hub, here or in another process, runs in {@code folder}. */
    static boolean isHeld(Path folder) throws IOException {
        if (HELD_HERE.contains(folder)) {
            return true;
        }
        Path file = folder.resolve(NAME);
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            return !locked(channel);
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException heldByThisJvm) {
            return false;
        }
    }

    private static StartFailure inUse(Path folder, String holder) {
        return new StartFailure("data folder " + folder + " is in use by another hub (" + holder.strip()
                + "): stop that one, or give this one a folder of its own with "
                + HubConfig.Key.DATA_DIR.variable());
    }

    @Override
    public void close() throws IOException {
        channel.close();
        HELD_HERE.remove(folder);
    }
}
