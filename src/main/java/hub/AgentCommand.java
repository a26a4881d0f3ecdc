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

/** {@code agent}: the account's agents. */
@Command(name = "agent", description = "Agents of the account.", mixinStandardHelpOptions = true)
final class AgentCommand implements Callable<Integer> {
    private final Supplier<HubConfig> config;
    private final PrintWriter out;

    @Spec
    private CommandSpec spec;

    AgentCommand(Supplier<HubConfig> config, PrintWriter out) {
        this.config = config;
        this.out = out;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "agent needs a command: register, list, remove");
    }

    @Command(
            name = "register",
            description = "Register an agent. That grants it nothing.",
            mixinStandardHelpOptions = true)
    int register(
            @Mixin Calling calling,
            @Parameters(paramLabel = "NAME", description = "its name") String name,
            @Option(names = "--description", description = "what it does, for people") String description)
            throws IOException, InterruptedException {
        ObjectNode body = Calling.nothing().put("name", name).put("description", description);
        return calling.run(config.get(), out, "POST", "/v1/account/agents", body);
    }

    @Command(name = "list", description = "Agents, newest first.", mixinStandardHelpOptions = true)
    int list(@Mixin Calling calling) throws IOException, InterruptedException {
        return calling.list(config.get(), out, "/v1/account/agents", "agents");
    }

    @Command(
            name = "remove",
            description = "Remove an agent, and revoke all that was vended to it.",
            mixinStandardHelpOptions = true)
    int remove(@Mixin Calling calling, @Parameters(paramLabel = "AGENT", description = "its id or name") String agent)
            throws IOException, InterruptedException {
        String id = calling.agent(config.get(), agent);
        return calling.run(config.get(), out, "DELETE", "/v1/account/agents/" + id, Calling.nothing());
    }
}
