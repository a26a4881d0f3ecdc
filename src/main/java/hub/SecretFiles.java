package hub;

import adapters.AdapterRegistry;
import adapters.Adapters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the secrets of adapters.yaml read again when one of the files that they stand in changes. It looks every two seconds:
 * where secrets are mounted, files are swapped by links, which the system's own notices miss.
 */
final class SecretFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SecretFiles.class);
    private static final long PERIOD_MILLIS = 2_000;
    private static final String NOT_THERE = "not there";

    private final AdapterRegistry registry;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "secret-files");
        thread.setDaemon(true);
        return thread;
    });
    private Map<Path, String> seen;

    private SecretFiles(AdapterRegistry registry) {
        this.registry = registry;
        this.seen = look(registry.declared());
    }

    static SecretFiles watch(AdapterRegistry registry) {
        SecretFiles files = new SecretFiles(registry);
        files.timer.scheduleWithFixedDelay(files::lookAgain, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        return files;
    }

    private synchronized void lookAgain() {
        try {
            Map<Path, String> now = look(registry.declared());
            if (!now.equals(seen)) {
                readAgain();
            }
        } catch (RuntimeException failure) {
            LOG.error("files of secrets could not be looked at error={}", failure.toString());
        }
    }

    /** Reads all of them now. An adapter whose secret is gone is off; one whose secret is of no use keeps the former. */
    synchronized void readAgain() {
        List<String> offBefore = off();
        seen = look(registry.declared());
        registry.secretsAre(registry.declared()
                .withSecretsReadAgain((adapter, complaint) -> LOG.error(
                        "a secret that was read again is of no use, the former stays adapter={} reason=\"it {}\"",
                        adapter,
                        complaint)));
        List<String> offNow = off();
        LOG.info(
                "secrets read again files={} adapters_off={}{}",
                seen.size(),
                offNow,
                offNow.equals(offBefore) ? "" : " before=" + offBefore);
    }

    private List<String> off() {
        return registry.states().stream()
                .filter(state -> !state.on())
                .map(state -> state.adapter().name())
                .toList();
    }

    /** What would differ if somebody wrote a file, or put another in its place. */
    private static Map<Path, String> look(Adapters adapters) {
        Map<Path, String> looks = new HashMap<>();
        for (Path file : adapters.secretFiles()) {
            try {
                BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
                looks.put(file, found.lastModifiedTime() + " " + found.size() + " " + found.fileKey());
            } catch (IOException gone) {
                looks.put(file, NOT_THERE);
            }
        }
        return looks;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
