import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/**
 * From the sender's 202 to the agent's claim answer, both over HTTP, n times: once with an agent that waits, once with one
 * that polls every 50 ms. Run as a single file: {@code java WakeLatency.java <base> <credential> <token> <n>}.
 */
public final class WakeLatency {
    private static final Duration POLL = Duration.ofMillis(50);

    private final HttpClient sender = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpClient agent = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;
    private final String credential;
    private final String token;

    private WakeLatency(String base, String credential, String token) {
        this.base = base;
        this.credential = credential;
        this.token = token;
    }

    public static void main(String[] args) throws Exception {
        WakeLatency bench = new WakeLatency(args[0], args[1], args[2]);
        int n = Integer.parseInt(args[3]);
        bench.measure(true, 50);
        print("waiting", bench.measure(true, n));
        print("polling", bench.measure(false, n));
    }

    private static void print(String how, List<Double> millis) {
        Collections.sort(millis);
        System.out.printf(
                "WAKE %s %.2f %.2f%n", how, millis.get(millis.size() / 2), millis.get(millis.size() * 99 / 100));
    }

    private List<Double> measure(boolean waits, int n) throws Exception {
        SynchronousQueue<Long> claimed = new SynchronousQueue<>();
        Thread worker = new Thread(() -> work(waits, n, claimed));
        worker.setDaemon(true);
        worker.start();
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            // the agent is back and waits again; a pause that does not beat with the poll
            TimeUnit.MILLISECONDS.sleep(40 + i * 7 % 50);
            send();
            long answered = System.nanoTime();
            millis.add(Math.max(0, (claimed.take() - answered) / 1e6));
        }
        worker.join();
        return millis;
    }

    private void send() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + "/webhooks/generic/wake"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"sent\":" + System.nanoTime() + "}"))
                .build();
        int status = sender.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
        if (status != 202) {
            throw new IllegalStateException("the hub answered " + status);
        }
    }

    private void work(boolean waits, int n, SynchronousQueue<Long> claimed) {
        String ask = "{\"queues\":[\"wake\"],\"wait_seconds\":" + (waits ? 30 : 0) + "}";
        try {
            for (int got = 0; got < n; ) {
                String answer = call("/v1/claim", ask);
                long now = System.nanoTime();
                if (answer.contains("\"state\":\"claimed\"")) {
                    got++;
                    claimed.put(now);
                } else if (!waits) {
                    TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
                }
            }
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private String call(String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", "Bearer " + credential)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return agent.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
