package hub;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code operator}: the operator's credential. */
@Command(name = "operator", description = "Look after the operator's credential.", mixinStandardHelpOptions = true)
final class OperatorCommand implements Callable<Integer> {
    private final Supplier<HubConfig> config;
    private final Backstage backstage;
    private final PrintWriter out;

    @Spec
    private CommandSpec spec;

    OperatorCommand(Supplier<HubConfig> config, Backstage backstage, PrintWriter out) {
        this.config = config;
        this.backstage = backstage;
        this.out = out;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "operator needs a command: rotate");
    }

    @Command(
            name = "rotate",
            description = "Mint a new operator credential; the former one stops working at once.",
            mixinStandardHelpOptions = true)
    int rotate() {
        HubConfig settings = config.get();
        if (settings.operatorToken().isPresent()) {
            throw new StartFailure(HubConfig.Key.OPERATOR_TOKEN.variable()
                    + " sets the operator's credential at every start: change the variable and restart the hub, or unset it"
                    + " to let the hub mint one");
        }
        out.println(backstage.rotateOperatorCredential(settings));
        out.flush();
        return 0;
    }
}
