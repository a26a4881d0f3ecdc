package hub;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** {@code serve}: the hub, until it is told to stop. */
@Command(name = "serve", description = "Run the hub (the default).", mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
    private final Supplier<HubConfig> config;
    private final PrintWriter out;

    ServeCommand(Supplier<HubConfig> config, PrintWriter out) {
        this.config = config;
        this.out = out;
    }

    @Override
    public Integer call() {
        HubConfig settings = config.get();
        Serving.untilSignal(settings, hub -> announce(hub, settings, out));
        throw new IllegalStateException("a hub runs until it is told to stop");
    }

    /** The start-up lines: for people as they are, for a log collector as log lines. */
    static void announce(Hub hub, HubConfig config, PrintWriter out) {
        if (config.logFormat() == HubConfig.LogFormat.JSON) {
            hub.startupLines().stream()
                    .filter(line -> !line.isBlank())
                    .forEach(LoggerFactory.getLogger(Hub.class)::info);
        } else {
            hub.startupLines().forEach(out::println);
            out.flush();
        }
    }
}
