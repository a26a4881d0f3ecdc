package hub;

import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/**
 * The command line. Exit status: 0 done, 1 failed with one message on standard error (and a stack trace when
 * {@code SWITCHBOARD_LOG_LEVEL=debug}), 2 not understood.
 */
@Command(
        name = "switchboard",
        description = "Turns verified deliveries into durable todos that agents claim. Without a command: serve.",
        mixinStandardHelpOptions = true,
        versionProvider = Switchboard.Version.class,
        footer = {
            "",
            "Settings are environment variables, SWITCHBOARD_HTTP_PORT and the like: docs/configuration.md.",
            "Exit status: 0 done, 1 failed (the reason is on standard error), 2 not understood."
        })
public final class Switchboard implements Callable<Integer> {
    private final Map<String, String> environment;
    private final PrintWriter out;

    private Switchboard(Map<String, String> environment, PrintWriter out) {
        this.environment = environment;
        this.out = out;
    }

    public static void main(String[] args) {
        // before anything has a logger: logback.xml is read when the first one is made
        setUpLogging(System.getenv());
        PrintWriter out = utf8(System.out);
        PrintWriter err = utf8(System.err);
        int status = commandLine(System.getenv(), Hub.backstage(), out, err).execute(args);
        // a failed start may have left threads that would keep the process alive
        System.exit(status);
    }

    /** Whatever the terminal's locale: log collectors and people expect UTF-8. */
    private static PrintWriter utf8(OutputStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }

    /** The whole command line over an environment, so that tests run what people run. */
    static CommandLine commandLine(
            Map<String, String> environment, Backstage backstage, PrintWriter out, PrintWriter err) {
        Supplier<HubConfig> config = () -> HubConfig.from(environment);
        CommandLine line = new CommandLine(new Switchboard(environment, out))
                .addSubcommand(new ServeCommand(config, out))
                .addSubcommand(new DemoCommand(environment, out))
                .addSubcommand(new CheckCommand(config, backstage, out))
                .addSubcommand(new VerifyCommand(config, out))
                .addSubcommand(new SendCommand(config, out))
                .addSubcommand(new WorkCommand(config, out))
                .addSubcommand(new RedeliverCommand(config, backstage, out))
                .addSubcommand(new OperatorCommand(config, backstage, out))
                .addSubcommand(new AccountCommand(config, out))
                .addSubcommand(new AgentCommand(config, out))
                .addSubcommand(new EndpointCommand(config, out))
                .addSubcommand(new QueueCommand(config, out))
                .addSubcommand(new FriendCommand(config, out))
                .addSubcommand(new TrainCommand(environment, out));
        line.setOut(out);
        line.setErr(err);
        boolean debug = "debug".equalsIgnoreCase(environment.get(HubConfig.Key.LOG_LEVEL.variable()));
        line.setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, debug, err));
        line.setParameterExceptionHandler((mistake, arguments) -> misunderstood(mistake, err));
        return line;
    }

    /** Format and level as logback.xml asks for them. */
    private static void setUpLogging(Map<String, String> environment) {
        String format = environment.getOrDefault(HubConfig.Key.LOG_FORMAT.variable(), "");
        System.setProperty("switchboard.log.format", format.equalsIgnoreCase("json") ? "json" : "text");
        String level = environment.getOrDefault(HubConfig.Key.LOG_LEVEL.variable(), "");
        System.setProperty("switchboard.log.level", level.isBlank() ? "info" : level.toLowerCase(Locale.ROOT));
        // what speaks java.util.logging would write to standard error, which is for the one message of a failure
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    private static int failed(Exception failure, boolean debug, PrintWriter err) {
        err.println("switchboard: " + reason(failure));
        if (debug) {
            failure.printStackTrace(err);
        }
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** A message of ours stands for itself; one of a library's also says what is at the bottom of it. */
    private static String reason(Exception failure) {
        if (failure instanceof StartFailure || failure instanceof HubClient.Unreachable) {
            return failure.getMessage();
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String first = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        return root == failure
                ? first
                : first + " (" + root.getClass().getSimpleName() + ": " + root.getMessage() + ")";
    }

    private static int misunderstood(CommandLine.ParameterException mistake, PrintWriter err) {
        err.println("switchboard: " + mistake.getMessage());
        err.println("Try '" + mistake.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public Integer call() {
        return new ServeCommand(() -> HubConfig.from(environment), out).call();
    }

    /** The version that the jar was built as. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Switchboard.class.getPackage().getImplementationVersion();
            return new String[] {"switchboard " + (version == null ? "(not packaged)" : version)};
        }
    }
}
