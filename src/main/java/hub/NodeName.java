package hub;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * What this hub is called among those that read from one broker: the same after a restart, however the last run ended, and
 * no other hub's. It stands in {@code node} in the data folder, which is held while the hub runs; a second hub in the same
 * folder takes {@code node.2}. The machine's name is in front, so that a copied folder is another node.
 */
final class NodeName implements AutoCloseable {
    private static final int MOST = 100;
    private static final int LONGEST_HOST = 40;

    private final HeldFile file;
    private final String name;

    private NodeName(HeldFile file, String name) {
        this.file = file;
        this.name = name;
    }

    /** @throws StartFailure when the folder cannot be used */
    static NodeName take(HubConfig config) {
        try {
            Path folder = Files.createDirectories(config.dataDir()).toRealPath();
            for (int number = 1; number <= MOST; number++) {
                Path path = folder.resolve(number == 1 ? "node" : "node." + number);
                Optional<HeldFile> held = HeldFile.hold(path);
                if (held.isPresent()) {
                    return new NodeName(held.get(), host() + "-" + id(path, held.get()));
                }
            }
            throw new StartFailure("data folder " + folder + " is in use by " + MOST + " hubs already; give this one a"
                    + " folder of its own with " + HubConfig.Key.DATA_DIR.variable());
        } catch (IOException failed) {
            throw Database.unusable(config, failed);
        }
    }

    private static String id(Path path, HeldFile file) throws IOException {
        String written = Files.readString(path).strip();
        if (written.matches("[0-9a-f]{8}")) {
            return written;
        }
        String id = UUID.randomUUID().toString().substring(0, 8);
        file.write(id + "\n");
        return id;
    }

    private static String host() {
        try {
            String host = InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9.-]", "-");
            return host.substring(0, Math.min(host.length(), LONGEST_HOST));
        } catch (UnknownHostException e) {
            return "node";
        }
    }

    /** {@code <host>-<eight hex digits>}. */
    @Override
    public String toString() {
        return name;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
