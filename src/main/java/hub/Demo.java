package hub;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * The main job in ten seconds, each step said as it happens: an agent waits, signed deliveries come in, todos wake it, it
 * completes them; a delivery sent twice is recognised, a tampered one refused. A step that does not end as it should
 * ends the demo with a message.
 */
final class Demo {
    private static final String REVIEWS = "demo-reviews";
    private static final String DEPLOYS = "demo-deploys";
    private static final String HOMELAB = "demo-homelab";
    private static final String AGENT = "demo-agent";
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final Duration LEASE = Duration.ofSeconds(60);

    private static final byte[] ALERT =
            "{\"host\":\"nas\",\"message\":\"disk 3 reports 12 bad sectors\"}".getBytes(StandardCharsets.UTF_8);

    private final HubClient hub;
    private final Map<String, String> secrets;
    private final Consumer<String> say;

    /** @param secrets by the names that the demo's adapters.yaml asks for */
    Demo(HubClient hub, Map<String, String> secrets, Consumer<String> say) {
        this.hub = hub;
        this.secrets = secrets;
        this.say = say;
    }

    void run() {
        ExecutorService agent = Executors.newSingleThreadExecutor();
        try {
            GitHubSample pullRequest = GitHubSample.of("pull_request.opened.json", "pull_request", newId());
            String github = secrets.get(DemoSecrets.GITHUB);

            say.accept("GitHub sends a pull request, signed; an agent is waiting for one:");
            work(agent, REVIEWS, () -> pullRequest.send(hub, "github", github));

            say.accept("GitHub sends the same delivery once more, as it does when an answer got lost:");
            HubClient.Answer again = expect(200, pullRequest.send(hub, "github", github));
            say.accept("  hub    " + Receipts.described(again));

            say.accept("Somebody changes a byte on the way:");
            GitHubSample other = pullRequest.as(newId());
            HubClient.Answer tampered = expect(401, other.sendTampered(hub, "github", github));
            say.accept("  hub    401 " + tampered.code() + ", nothing stored");

            say.accept("GitHub sends a push to main:");
            GitHubSample push = GitHubSample.of("push.json", "push", newId());
            work(agent, DEPLOYS, () -> push.send(hub, "github", github));

            say.accept("A machine in the homelab reports, with a token instead of a signature:");
            work(agent, HOMELAB, this::alert);
        } catch (IOException failed) {
            throw new StartFailure("the demo lost its hub: " + failed, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StartFailure("the demo was interrupted", interrupted);
        } finally {
            agent.shutdownNow();
        }
    }

    /** A sender's part of a step. */
    private interface Sender {
        HubClient.Answer send() throws IOException, InterruptedException;
    }

    /** The agent parks first; the delivery's todo wakes it. */
    private void work(ExecutorService agent, String queue, Sender sender) throws IOException, InterruptedException {
        Future<Claimed> parked = agent.submit(() -> claim(queue));
        HubClient.Answer answer = expect(202, sender.send());
        long accepted = System.nanoTime();
        say.accept("  hub    " + Receipts.described(answer));
        Claimed claimed = awaited(parked);
        // the agent may have it in hand before the sender has read its answer
        long millis = Math.max(0, Duration.ofNanos(claimed.at() - accepted).toMillis());
        say.accept("  agent  woken " + millis + " ms after the answer: "
                + claimed.todo().title() + " (attempt " + claimed.todo().attempt() + ")");
        hub.complete(claimed.todo(), JsonNodeFactory.instance.objectNode().put("done_by", AGENT));
        say.accept("  agent  completed it");
    }

    private record Claimed(HubClient.Todo todo, long at) {}

    private Claimed claim(String queue) throws IOException, InterruptedException {
        HubClient.Todo todo = hub.claim(List.of(queue), WAIT, LEASE, AGENT)
                .orElseThrow(
                        () -> new StartFailure("demo: no todo on " + queue + " within " + WAIT.toSeconds() + " s"));
        return new Claimed(todo, System.nanoTime());
    }

    private static Claimed awaited(Future<Claimed> parked) throws IOException, InterruptedException {
        try {
            return parked.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException lost) {
                throw lost;
            }
            throw failed.getCause() instanceof RuntimeException known
                    ? known
                    : new IllegalStateException(failed.getCause());
        }
    }

    private HubClient.Answer alert() throws IOException, InterruptedException {
        return hub.deliver(
                "/webhooks/generic/homelab",
                ALERT,
                Map.of("Authorization", "Bearer " + secrets.get(DemoSecrets.HOMELAB), "X-Delivery-Id", newId()));
    }

    private static HubClient.Answer expect(int status, HubClient.Answer answer) {
        if (answer.status() != status) {
            throw new StartFailure("demo: expected " + status + ", the hub answered " + answer.refusal());
        }
        return answer;
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }
}
