package hub;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code endpoint}: what the account vends. */
@Command(
        name = "endpoint",
        description = "Credentials with a scope, vended to agents.",
        mixinStandardHelpOptions = true)
final class EndpointCommand implements Callable<Integer> {
    private final Supplier<HubConfig> config;
    private final PrintWriter out;

    @Spec
    private CommandSpec spec;

    EndpointCommand(Supplier<HubConfig> config, PrintWriter out) {
        this.config = config;
        this.out = out;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "endpoint needs a command: vend, list, show, revoke, rotate");
    }

    @Command(
            name = "vend",
            description = "Vend an endpoint to an agent; prints its credential, once.",
            mixinStandardHelpOptions = true)
    int vend(
            @Mixin Calling calling,
            @Parameters(paramLabel = "AGENT", description = "its id or name") String agent,
            @Option(names = "--queue", description = "a queue of its scope; may be repeated", required = true)
                    List<String> queues,
            @Option(
                            names = "--verb",
                            description = "claim, complete, work, produce and the like; may be repeated",
                            required = true)
                    List<String> verbs,
            @Option(names = "--expires-in", description = "seconds until it ends (default: never)") Integer expiresIn,
            @Option(names = "--lease", description = "seconds of a lease that asks for none (default: the queue's)")
                    Integer lease,
            @Option(names = "--max-lease", description = "seconds of the longest lease (default: no limit)")
                    Integer maxLease,
            @Option(names = "--rate-limit", description = "calls a minute (default: no limit)") Integer rateLimit)
            throws IOException, InterruptedException {
        ObjectNode body = Calling.nothing()
                .put("expires_in_seconds", expiresIn)
                .put("lease_seconds", lease)
                .put("max_lease_seconds", maxLease)
                .put("rate_limit", rateLimit);
        Calling.put(body, "queues", queues);
        Calling.put(body, "verbs", verbs);
        String id = calling.agent(config.get(), agent);
        return calling.run(config.get(), out, "POST", "/v1/account/agents/" + id + "/endpoints", body);
    }

    @Command(
            name = "list",
            description = "Endpoints, newest first, the ended ones too.",
            mixinStandardHelpOptions = true)
    int list(@Mixin Calling calling) throws IOException, InterruptedException {
        return calling.list(config.get(), out, "/v1/account/endpoints", "endpoints");
    }

    @Command(name = "show", description = "One endpoint.", mixinStandardHelpOptions = true)
    int show(@Mixin Calling calling, @Parameters(paramLabel = "ID", description = "its id") String id)
            throws IOException, InterruptedException {
        return calling.get(config.get(), out, "/v1/account/endpoints/" + Calling.encoded(id));
    }

    @Command(name = "revoke", description = "End an endpoint for good.", mixinStandardHelpOptions = true)
    int revoke(
            @Mixin Calling calling,
            @Parameters(paramLabel = "ID", description = "its id") String id,
            @Option(
                            names = "--todos",
                            description =
                                    "what becomes of the todos that it holds: release or fail (default: ${DEFAULT-VALUE})",
                            defaultValue = "release")
                    String todos)
            throws IOException, InterruptedException {
        ObjectNode body = Calling.nothing().put("todos", todos);
        return calling.run(config.get(), out, "POST", "/v1/account/endpoints/" + Calling.encoded(id) + "/revoke", body);
    }

    @Command(
            name = "rotate",
            description = "Give an endpoint another credential; printed once.",
            mixinStandardHelpOptions = true)
    int rotate(
            @Mixin Calling calling,
            @Parameters(paramLabel = "ID", description = "its id") String id,
            @Option(
                            names = "--grace",
                            description = "seconds that the former one still works (default: ${DEFAULT-VALUE})",
                            defaultValue = "0")
                    int grace)
            throws IOException, InterruptedException {
        ObjectNode body = Calling.nothing().put("grace_seconds", grace);
        return calling.run(config.get(), out, "POST", "/v1/account/endpoints/" + Calling.encoded(id) + "/rotate", body);
    }
}
