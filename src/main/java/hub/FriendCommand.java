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

/** {@code friend}: queues that accounts lend each other. */
@Command(name = "friend", description = "Queues that accounts lend each other.", mixinStandardHelpOptions = true)
final class FriendCommand implements Callable<Integer> {
    private final Supplier<HubConfig> config;
    private final PrintWriter out;

    @Spec
    private CommandSpec spec;

    FriendCommand(Supplier<HubConfig> config, PrintWriter out) {
        this.config = config;
        this.out = out;
    }

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(), "friend needs a command: ask, list, approve, deny, revoke, rotate");
    }

    @Command(name = "ask", description = "Ask another account for some of its queues.", mixinStandardHelpOptions = true)
    int ask(
            @Mixin Calling calling,
            @Parameters(paramLabel = "ACCOUNT", description = "its name") String account,
            @Option(names = "--queue", description = "a queue of it; may be repeated", required = true)
                    List<String> queues,
            @Option(names = "--verb", description = "create, work and the like; may be repeated", required = true)
                    List<String> verbs,
            @Option(names = "--reason", description = "why, for people") String reason)
            throws IOException, InterruptedException {
        ObjectNode body = Calling.nothing().put("to", account).put("reason", reason);
        Calling.put(body, "queues", queues);
        Calling.put(body, "verbs", verbs);
        return calling.run(config.get(), out, "POST", "/v1/account/friends", body);
    }

    @Command(
            name = "list",
            description = "What was asked for, by you and of you, newest first.",
            mixinStandardHelpOptions = true)
    int list(@Mixin Calling calling) throws IOException, InterruptedException {
        return calling.list(config.get(), out, "/v1/account/friends", "friends");
    }

    @Command(
            name = "approve",
            description = "Grant what was asked for, or less; prints the credential, once.",
            mixinStandardHelpOptions = true)
    int approve(
            @Mixin Calling calling,
            @Parameters(paramLabel = "ID", description = "the edge's id") String id,
            @Option(names = "--queue", description = "a queue that is granted (default: all that were asked for)")
                    List<String> queues,
            @Option(names = "--verb", description = "a verb that is granted (default: all that were asked for)")
                    List<String> verbs)
            throws IOException, InterruptedException {
        ObjectNode body = Calling.nothing();
        Calling.put(body, "queues", queues == null ? List.of() : queues);
        Calling.put(body, "verbs", verbs == null ? List.of() : verbs);
        return decide(calling, id, "approve", body);
    }

    @Command(name = "deny", description = "Deny what was asked for.", mixinStandardHelpOptions = true)
    int deny(@Mixin Calling calling, @Parameters(paramLabel = "ID", description = "the edge's id") String id)
            throws IOException, InterruptedException {
        return decide(calling, id, "deny", Calling.nothing());
    }

    @Command(name = "revoke", description = "End an edge, from either side.", mixinStandardHelpOptions = true)
    int revoke(@Mixin Calling calling, @Parameters(paramLabel = "ID", description = "the edge's id") String id)
            throws IOException, InterruptedException {
        return decide(calling, id, "revoke", Calling.nothing());
    }

    @Command(
            name = "rotate",
            description = "Get a credential of your own for what you were granted; printed once.",
            mixinStandardHelpOptions = true)
    int rotate(@Mixin Calling calling, @Parameters(paramLabel = "ID", description = "the edge's id") String id)
            throws IOException, InterruptedException {
        return decide(calling, id, "rotate", Calling.nothing());
    }

    private int decide(Calling calling, String id, String word, ObjectNode body)
            throws IOException, InterruptedException {
        return calling.run(config.get(), out, "POST", "/v1/account/friends/" + Calling.encoded(id) + "/" + word, body);
    }
}
