package hub;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code work}: a small agent that claims todos, prints them and completes them. */
@Command(
        name = "work",
        description = "A small agent: claim todos, print them, complete them. Ends with Ctrl-C.",
        mixinStandardHelpOptions = true)
final class WorkCommand implements Callable<Integer> {
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final int LONGEST_PAUSE_SECONDS = 10;

    private final Supplier<HubConfig> config;
    private final PrintWriter out;

    @Option(
            names = "--queue",
            paramLabel = "QUEUE",
            description = "take todos of this queue only; may be repeated (default: all)")
    private List<String> queues = List.of();

    @Option(names = "--worker", description = "name in the todo's history (default: work-<pid>)")
    private String worker = "work-" + ProcessHandle.current().pid();

    @Option(names = "--once", description = "work one todo, waiting up to 30 s for it, then end")
    private boolean once;

    @Option(names = "--url", description = "the hub (default: the one of this configuration)")
    private Optional<URI> url = Optional.empty();

    WorkCommand(Supplier<HubConfig> config, PrintWriter out) {
        this.config = config;
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        HubClient hub = HubClient.of(config.get(), url);
        if (once) {
            if (!workOne(hub)) {
                say("nothing to do");
            }
            return 0;
        }
        say(worker + " waits for todos");
        int pause = 1;
        while (true) {
            try {
                workOne(hub);
                pause = 1;
            } catch (HubClient.Unreachable | IOException notNow) {
                say(notNow.getMessage() + "; trying again in " + pause + " s");
                TimeUnit.SECONDS.sleep(pause);
                pause = Math.min(pause * 2, LONGEST_PAUSE_SECONDS);
            }
        }
    }

    private boolean workOne(HubClient hub) throws IOException, InterruptedException {
        Optional<HubClient.Todo> claimed = hub.claim(queues, WAIT, LEASE, worker);
        if (claimed.isEmpty()) {
            return false;
        }
        HubClient.Todo todo = claimed.get();
        say("claimed   " + todo.id() + "  " + todo.queue() + "  attempt " + todo.attempt() + "  " + todo.title());
        hub.complete(todo, JsonNodeFactory.instance.objectNode().put("done_by", worker));
        say("completed " + todo.id());
        return true;
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
