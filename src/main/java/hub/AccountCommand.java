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

/** {@code account}: accounts, for the operator. */
@Command(
        name = "account",
        description = "Accounts and their tokens, for the operator.",
        mixinStandardHelpOptions = true)
final class AccountCommand implements Callable<Integer> {
    private final Supplier<HubConfig> config;
    private final PrintWriter out;

    @Spec
    private CommandSpec spec;

    AccountCommand(Supplier<HubConfig> config, PrintWriter out) {
        this.config = config;
        this.out = out;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "account needs a command: create, list, close, token");
    }

    @Command(
            name = "create",
            description = "Make an account; prints its first token, once.",
            mixinStandardHelpOptions = true)
    int create(
            @Mixin Calling calling,
            @Parameters(paramLabel = "NAME", description = "its name") String name,
            @Option(
                            names = "--role",
                            description = "member or operator (default: ${DEFAULT-VALUE})",
                            defaultValue = "member")
                    String role)
            throws IOException, InterruptedException {
        ObjectNode body = Calling.nothing().put("name", name).put("role", role);
        return calling.run(config.get(), out, "POST", "/v1/operator/accounts", body);
    }

    @Command(name = "list", description = "Accounts, newest first.", mixinStandardHelpOptions = true)
    int list(@Mixin Calling calling) throws IOException, InterruptedException {
        return calling.list(config.get(), out, "/v1/operator/accounts", "accounts");
    }

    @Command(
            name = "close",
            description = "Close an account: nobody may act for it any more.",
            mixinStandardHelpOptions = true)
    int close(@Mixin Calling calling, @Parameters(paramLabel = "ID", description = "its number") String id)
            throws IOException, InterruptedException {
        return calling.run(
                config.get(), out, "DELETE", "/v1/operator/accounts/" + Calling.encoded(id), Calling.nothing());
    }

    @Command(
            name = "token",
            description = "Mint a token for an account that lost its own; printed once.",
            mixinStandardHelpOptions = true)
    int token(
            @Mixin Calling calling,
            @Parameters(paramLabel = "ID", description = "its number") String id,
            @Parameters(paramLabel = "NAME", description = "what its holder calls the token") String name)
            throws IOException, InterruptedException {
        ObjectNode body = Calling.nothing().put("name", name);
        return calling.run(config.get(), out, "POST", "/v1/operator/accounts/" + Calling.encoded(id) + "/tokens", body);
    }
}
