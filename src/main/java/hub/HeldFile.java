package hub;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A file that one process holds, for its life or until it is closed; the kernel gives it back however the process ends. */
final class HeldFile implements AutoCloseable {
    /**
     * Files held by this JVM. Looked at before a file is opened: closing any descriptor of a file gives up all POSIX locks
     * that the process holds on it.
     */
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private HeldFile(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Makes the file when it is not there.
     *
     * @return empty when somebody holds it, here or in another process
     */
    static Optional<HeldFile> hold(Path file) throws IOException {
        if (!HELD_HERE.add(file)) {
            return Optional.empty();
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (locked(channel)) {
                return Optional.of(new HeldFile(file, channel));
            }
            channel.close();
        } catch (IOException | RuntimeException failed) {
            HELD_HERE.remove(file);
            throw failed;
        }
        HELD_HERE.remove(file);
        return Optional.empty();
    }

    /** Whether somebody holds it, here or in another process. */
    static boolean isHeld(Path file) throws IOException {
        if (HELD_HERE.contains(file)) {
            return true;
        }
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            return !locked(channel);
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException heldByThisJvm) {
            return false;
        }
    }

    /** Replaces what the file says. */
    void write(String text) throws IOException {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        HELD_HERE.remove(file);
    }
}
