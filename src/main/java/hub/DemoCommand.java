package hub;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code demo}: the hub with sample adapters, which then sends itself deliveries and works them. It keeps its data where
 * {@code serve} does; what it leaves there are finished todos on queues called {@code demo-…}.
 */
@Command(
        name = "demo",
        description =
                "Run the hub with sample adapters and show the main job: deliveries in, todos out, an agent at work.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    private final Map<String, String> environment;
    private final PrintWriter out;

    DemoCommand(Map<String, String> environment, PrintWriter out) {
        this.environment = environment;
        this.out = out;
    }

    @Override
    public Integer call() {
        HubConfig config = prepared(environment);
        Serving.untilSignal(config, hub -> {
            ServeCommand.announce(hub, config, out);
            say("");
            new Demo(client(hub, config), config.environment(), this::say).run();
            say("");
            say("That was the main job. The hub keeps running; in another terminal:");
            say("  ./switchboard send github pull_request.opened.json");
            say("  ./switchboard work");
            say("Ctrl-C stops it. Without 'demo' it reads your adapters.yaml: "
                    + HubConfig.from(environment).adapters());
        });
        throw new IllegalStateException("a hub runs until it is told to stop");
    }

    /** The configuration with the demo's adapters and secrets, both kept in the data folder. */
    static HubConfig prepared(Map<String, String> environment) {
        HubConfig given = HubConfig.from(environment);
        Path adapters = given.dataDir().resolve("demo.adapters.yaml");
        Map<String, String> prepared = new HashMap<>(environment);
        try (InputStream sample = DemoCommand.class.getResourceAsStream("/demo/adapters.yaml")) {
            prepared.putAll(DemoSecrets.ensure(given.dataDir()));
            Files.copy(sample, adapters, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw Database.unusable(given, failed);
        }
        prepared.put(HubConfig.Key.ADAPTERS.variable(), adapters.toString());
        return HubConfig.from(prepared);
    }

    static HubClient client(Hub hub, HubConfig config) {
        return HubClient.of(config, Optional.of(hub.uri()));
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
