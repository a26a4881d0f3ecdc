package hub;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code queue}: the account's queues. */
@Command(name = "queue", description = "Queues of the account.", mixinStandardHelpOptions = true)
final class QueueCommand implements Callable<Integer> {
    private final Supplier<HubConfig> config;
    private final PrintWriter out;

    @Spec
    private CommandSpec spec;

    QueueCommand(Supplier<HubConfig> config, PrintWriter out) {
        this.config = config;
        this.out = out;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "queue needs a command: list, show, set, pause, resume");
    }

    @Command(name = "list", description = "Queues, and how full they are.", mixinStandardHelpOptions = true)
    int list(@Mixin Calling calling) throws IOException, InterruptedException {
        return calling.list(config.get(), out, "/v1/queues", "queues");
    }

    @Command(name = "show", description = "What holds for a queue.", mixinStandardHelpOptions = true)
    int show(@Mixin Calling calling, @Parameters(paramLabel = "NAME", description = "its name") String name)
            throws IOException, InterruptedException {
        return calling.get(config.get(), out, "/v1/account/queues/" + Calling.encoded(name));
    }

    @Command(
            name = "set",
            description = "Set what holds for a queue, and make it if need be.",
            mixinStandardHelpOptions = true)
    int set(
            @Mixin Calling calling,
            @Parameters(paramLabel = "NAME", description = "its name") String name,
            @Option(names = "--lease", description = "seconds of a lease that asks for none") Integer lease,
            @Option(names = "--max-attempts", description = "charged failures until a todo is failed for good")
                    Integer maxAttempts)
            throws IOException, InterruptedException {
        ObjectNode body = Calling.nothing().put("lease_seconds", lease).put("max_attempts", maxAttempts);
        return calling.run(config.get(), out, "PUT", "/v1/account/queues/" + Calling.encoded(name), body);
    }

    @Command(name = "pause", description = "Let a queue take todos and give none.", mixinStandardHelpOptions = true)
    int pause(@Mixin Calling calling, @Parameters(paramLabel = "NAME", description = "its name") String name)
            throws IOException, InterruptedException {
        return paused(calling, name, true);
    }

    @Command(name = "resume", description = "Let a paused queue go on.", mixinStandardHelpOptions = true)
    int resume(@Mixin Calling calling, @Parameters(paramLabel = "NAME", description = "its name") String name)
            throws IOException, InterruptedException {
        return paused(calling, name, false);
    }

    private int paused(Calling calling, String name, boolean paused) throws IOException, InterruptedException {
        ObjectNode body = Calling.nothing().put("paused", paused);
        return calling.run(config.get(), out, "PUT", "/v1/account/queues/" + Calling.encoded(name), body);
    }
}
