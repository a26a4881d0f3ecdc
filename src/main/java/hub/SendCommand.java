package hub;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code send}: a signed sample delivery to the running hub. */
@Command(
        name = "send",
        description = "Sign a sample delivery as a provider does and send it to the running hub.",
        mixinStandardHelpOptions = true)
final class SendCommand implements Callable<Integer> {
    private final Supplier<HubConfig> config;
    private final PrintWriter out;

    @Spec
    private CommandSpec spec;

    SendCommand(Supplier<HubConfig> config, PrintWriter out) {
        this.config = config;
        this.out = out;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "send needs to know whose delivery: github");
    }

    @Command(
            name = "github",
            description = "Send a GitHub delivery, signed with X-Hub-Signature-256.",
            mixinStandardHelpOptions = true)
    int github(
            @Parameters(
                            paramLabel = "FILE",
                            description =
                                    "the body: a file, or a sample of the hub (push.json, pull_request.opened.json,"
                                            + " issues.opened.json, ping.json)")
                    String file,
            @Option(names = "--event", description = "X-GitHub-Event (default: the file's name up to its first dot)")
                    Optional<String> event,
            @Option(names = "--delivery", description = "X-GitHub-Delivery (default: a new one)")
                    Optional<String> delivery,
            @Option(names = "--adapter", defaultValue = "github", description = "adapter (default: ${DEFAULT-VALUE})")
                    String adapter,
            @Option(
                            names = "--secret-env",
                            defaultValue = "GITHUB_WEBHOOK_SECRET",
                            description = "variable with the adapter's secret, else looked for in demo.env in the data"
                                    + " folder (default: ${DEFAULT-VALUE})")
                    String secretVariable,
            @Option(names = "--url", description = "the hub (default: the one of this configuration)")
                    Optional<URI> url)
            throws IOException, InterruptedException {
        HubConfig settings = config.get();
        GitHubSample sample = GitHubSample.of(
                file,
                event.orElseGet(() -> eventOf(file)),
                delivery.orElseGet(() -> UUID.randomUUID().toString()));
        String secret = secret(settings, secretVariable);
        HubClient.Answer answer = sample.send(HubClient.of(settings, url), adapter, secret);
        if (!answer.ok()) {
            throw new StartFailure("the hub refused delivery " + sample.deliveryId() + ": " + answer.refusal());
        }
        out.println(Receipts.described(answer));
        out.flush();
        return 0;
    }

    /** {@code pull_request.opened.json} is a pull_request. */
    private static String eventOf(String file) {
        String name = file.substring(file.lastIndexOf('/') + 1);
        return name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
    }

    private static String secret(HubConfig config, String variable) throws IOException {
        String given = config.environment().getOrDefault(variable, "");
        if (!given.isBlank()) {
            return given;
        }
        return DemoSecrets.find(config.dataDir(), variable)
                .orElseThrow(() -> new StartFailure("no secret to sign with: set " + variable
                        + " to what the adapter's secret is, or name another variable with --secret-env"));
    }
}
