package routes;

import access.Credential;
import access.Gate;
import adapters.AdapterRegistry;
import adapters.Adapters;
import adapters.PayloadView;
import claims.Attempts;
import claims.Desk;
import claims.Sweeps;
import claims.Todos;
import claims.Wakeups;
import com.fasterxml.jackson.databind.JsonNode;
import fixtures.TestDatabase;
import http.Admission;
import http.BodyMeter;
import http.HttpEngine;
import http.HttpServer;
import http.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.camel.impl.DefaultCamelContext;

/** The agents' side of a hub on a free port of the loopback, and a client that bears the operator's credential. */
final class Api implements AutoCloseable {
    private static final PayloadView PAYLOADS = new PayloadView(new AdapterRegistry(Adapters.none(), Map.of()));

    final Desk desk;
    final Sweeps sweeps;
    private final TestDatabase database;
    private final DefaultCamelContext context = new DefaultCamelContext();
    private final Wakeups wakeups = new Wakeups();
    private final ExecutorService statements = Executors.newFixedThreadPool(4);
    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final String credential = Credential.mint().reveal();

    /** An answer: its status, and its body when that is JSON. */
    record Answer(int status, JsonNode body) {
        String code() {
            return body.path("code").asText();
        }
    }

    Api(TestDatabase database) throws Exception {
        this.database = database;
        HttpEngine engine = new HttpEngine(
                HttpEngine.Settings.defaults(),
                approach -> new Admission(8 << 20, Duration.ofSeconds(10), BodyMeter.UNMETERED),
                new HttpRefusals());
        server = new HttpServer(engine, "127.0.0.1", 0);
        context.getRegistry().bind(HttpEngine.NAME, engine);
        context.addService(server);
        Storage.bind(context, database.pool());
        context.addRoutes(new CredentialRoutes());
        context.addRoutes(new DeskRoutes());
        context.start();
        sweeps = new Sweeps(context, wakeups);
        Attempts attempts = new Attempts(context, statements, engine.executor());
        Todos todos = new Todos(context, statements, engine.executor());
        desk = new Desk(context, wakeups, sweeps, attempts, statements, engine.executor(), () -> 60, Desk.Size.DEFAULT);
        desk.start();
        Gate gate = new Gate(context);
        context.addRoutes(new AgentRoutes(gate, desk, attempts, todos, PAYLOADS));
        context.addRoutes(new TodoRoutes(gate, todos, PAYLOADS));
        context.addRoutes(new AccountRoutes(gate));
        context.addRoutes(new EndpointRoutes(gate));
        context.addRoutes(new EndedRoute(gate::forget, sweeps));
        database.execute(
                "INSERT INTO credentials (account_id, hash, prefix) VALUES (1, ?, 'swb_')",
                Credential.of(credential).hash());
    }

    Answer post(String path, String json) throws Exception {
        return now(posting(path, json));
    }

    /** Sent, and not waited for; cancelled, its connection is closed. */
    CompletableFuture<HttpResponse<String>> posting(String path, String json) {
        HttpRequest request = request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    Answer get(String path) throws Exception {
        return answer(client.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofString()));
    }

    Answer withoutCredential(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        return answer(client.send(request, HttpResponse.BodyHandlers.ofString()));
    }

    /** A todo made by a call; its id. */
    String todo(String queue) throws Exception {
        Answer made = post("/v1/todos", "{\"queue\": \"" + queue + "\", \"title\": \"t\"}");
        if (made.status() != 201) {
            throw new AssertionError(made);
        }
        return made.body().get("id").asText();
    }

    /** The one todo that a claim must find. */
    JsonNode claimed(String queue) throws Exception {
        Answer answer = post("/v1/claim", "{\"queues\": [\"" + queue + "\"]}");
        if (answer.body().path("todos").size() != 1) {
            throw new AssertionError(answer);
        }
        return answer.body().get("todos").get(0);
    }

    String address() {
        return "http://127.0.0.1:" + server.port();
    }

    String credential() {
        return credential;
    }

    void ring(String queue) {
        wakeups.ring(1, queue);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path)).header("Authorization", "Bearer " + credential);
    }

    private URI uri(String path) {
        return URI.create(address() + path);
    }

    static Answer now(CompletableFuture<HttpResponse<String>> sent) throws Exception {
        return answer(sent.get(30, java.util.concurrent.TimeUnit.SECONDS));
    }

    private static Answer answer(HttpResponse<String> response) throws IOException {
        return new Answer(response.statusCode(), Json.mapper().readTree(response.body()));
    }

    @Override
    public void close() {
        try {
            desk.stop(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        context.stop();
        wakeups.close();
        statements.shutdownNow();
        database.execute("TRUNCATE credentials, endpoints, agents, audit_log CASCADE");
    }
}
