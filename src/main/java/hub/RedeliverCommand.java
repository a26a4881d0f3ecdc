package hub;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code redeliver}: dead entries of an adapter go back to where they came from. */
@Command(
        name = "redeliver",
        description = "Put the entries that an adapter could not deliver back into their stream or list.",
        mixinStandardHelpOptions = true)
final class RedeliverCommand implements Callable<Integer> {
    private final Supplier<HubConfig> config;
    private final Backstage backstage;
    private final PrintWriter out;

    @Parameters(paramLabel = "ADAPTER", description = "an adapter of type redis-stream or redis-list")
    private String adapter = "";

    RedeliverCommand(Supplier<HubConfig> config, Backstage backstage, PrintWriter out) {
        this.config = config;
        this.backstage = backstage;
        this.out = out;
    }

    @Override
    public Integer call() {
        out.println(backstage.redeliver(config.get(), adapter));
        out.flush();
        return 0;
    }
}
