package hub;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/**
 * {@code train}: what the build runs to make the class-data archive. A hub starts in a temporary folder on a free port,
 * does the main job and ends, so that the archive holds the classes of a first delivery; nothing is left behind.
 */
@Command(name = "train", hidden = true, description = "Run the main job once, for the build's class-data archive.")
final class TrainCommand implements Callable<Integer> {
    private final Map<String, String> environment;
    private final PrintWriter out;

    TrainCommand(Map<String, String> environment, PrintWriter out) {
        this.environment = environment;
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        Path folder = Files.createTempDirectory("switchboard-train-");
        try {
            HubConfig config = DemoCommand.prepared(alone(folder));
            try (Hub hub = Hub.start(config)) {
                new Demo(
                                DemoCommand.client(hub, config),
                                config.environment(),
                                line -> LoggerFactory.getLogger(TrainCommand.class)
                                        .debug(line))
                        .run();
            }
            return 0;
        } catch (RuntimeException cannot) {
            // a machine that cannot run the embedded server still builds; its hub only starts more slowly
            out.println("no complete class-data archive: " + cannot.getMessage());
            return 0;
        } finally {
            ServerPrograms.delete(folder);
        }
    }

    /** None of the builder's own settings: their database is not for training. */
    private Map<String, String> alone(Path folder) {
        Map<String, String> alone = new HashMap<>(environment);
        alone.keySet().removeIf(variable -> variable.startsWith(HubConfig.PREFIX));
        alone.put(HubConfig.Key.DATA_DIR.variable(), folder.toString());
        alone.put(HubConfig.Key.ROUTES.variable(), folder.resolve("routes").toString());
        alone.put(HubConfig.Key.HTTP_PORT.variable(), "0");
        return alone;
    }
}
