package hub;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;

/** {@code check}: what would run, without running it. */
@Command(
        name = "check",
        description = "Read settings, adapters.yaml and routes, say what would run, start nothing."
                + " Exit status 1 with all problems.",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
    private final Supplier<HubConfig> config;
    private final Backstage backstage;
    private final PrintWriter out;

    CheckCommand(Supplier<HubConfig> config, Backstage backstage, PrintWriter out) {
        this.config = config;
        this.backstage = backstage;
        this.out = out;
    }

    @Override
    public Integer call() {
        backstage.check(config.get()).forEach(out::println);
        out.flush();
        return 0;
    }
}
