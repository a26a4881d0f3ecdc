package hub;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Speaks to a running hub over HTTP, as any sender and any agent does: nothing here knows its inside. */
final class HubClient {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** On top of what the hub was asked to wait. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    private final URI base;
    private final Optional<String> credential;

    /** @param credential for the calls under {@code /v1}; deliveries bring a signature or token of their own */
    HubClient(URI base, Optional<String> credential) {
        this.base = base;
        this.credential = credential;
    }

    /** The hub of this configuration, on this machine unless {@code elsewhere} says where. */
    static HubClient of(HubConfig config, Optional<URI> elsewhere) {
        return new HubClient(elsewhere.orElseGet(() -> local(config)), credential(config));
    }

    /** The same, with this credential. */
    static HubClient of(HubConfig config, Optional<URI> elsewhere, String credential) {
        return new HubClient(elsewhere.orElseGet(() -> local(config)), Optional.of(credential));
    }

    private static URI local(HubConfig config) {
        if (config.httpPort() == 0) {
            throw new StartFailure(HubConfig.Key.HTTP_PORT.variable()
                    + " is 0, so the hub took a free port: say where it is with --url");
        }
        String host = switch (config.httpHost()) {
            case "0.0.0.0" -> "127.0.0.1";
            case "::" -> "::1";
            default -> config.httpHost();
        };
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + config.httpPort());
    }

    /** The variable, then the file that the hub wrote when it minted one. */
    private static Optional<String> credential(HubConfig config) {
        if (config.operatorToken().isPresent()) {
            return config.operatorToken();
        }
        Path file = config.operatorTokenFile();
        try {
            return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
        } catch (IOException unreadable) {
            throw new StartFailure(
                    "the operator's credential in " + file + " cannot be read: " + unreadable, unreadable);
        }
    }

    /**
     * What the hub answered.
     *
     * @param body the JSON, missing when the body is none
     */
    record Answer(int status, JsonNode body) {
        boolean ok() {
            return status / 100 == 2;
        }

        /** The refusal's code, {@code signature_mismatch} for example; empty when there is none. */
        String code() {
            return body.path("code").asText();
        }

        /** Status and the refusal in its own words. */
        String refusal() {
            String detail = body.path("detail").asText(body.path("title").asText());
            return status + (code().isEmpty() ? "" : " " + code()) + (detail.isEmpty() ? "" : ": " + detail);
        }
    }

    /** A todo under our lease, as {@code POST /v1/claim} shows it. */
    record Todo(String id, String queue, String kind, String title, int attempt, Optional<String> eventId) {
        private static Todo of(JsonNode json) {
            return new Todo(
                    json.path("id").asText(),
                    json.path("queue").asText(),
                    json.path("kind").asText(""),
                    json.path("title").asText(),
                    json.path("attempt").asInt(),
                    json.path("event_id").isNumber()
                            ? Optional.of(json.path("event_id").asText())
                            : Optional.empty());
        }
    }

    /** Sends a delivery, as a provider does. */
    Answer deliver(String path, byte[] body, Map<String, String> headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path, Duration.ZERO).POST(HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::setHeader);
        return answer(request);
    }

    /** Claims one todo; empty when none came within the wait. */
    Optional<Todo> claim(List<String> queues, Duration wait, Duration lease, String worker)
            throws IOException, InterruptedException {
        ObjectNode asked = JsonNodeFactory.instance
                .objectNode()
                .put("limit", 1)
                .put("wait_seconds", wait.toSeconds())
                .put("lease_seconds", lease.toSeconds())
                .put("worker", worker);
        if (!queues.isEmpty()) {
            queues.forEach(asked.putArray("queues")::add);
        }
        JsonNode todos = expected(call("/v1/claim", asked, wait), "claim").path("todos");
        return todos.isEmpty() ? Optional.empty() : Optional.of(Todo.of(todos.get(0)));
    }

    void complete(Todo todo, ObjectNode result) throws IOException, InterruptedException {
        ObjectNode asked = JsonNodeFactory.instance.objectNode().put("attempt", todo.attempt());
        asked.set("result", result);
        expected(call("/v1/todos/" + todo.id() + "/complete", asked, Duration.ZERO), "complete todo " + todo.id());
    }

    /** A call about access: its answer, or the refusal in its own words. */
    JsonNode manage(String method, String path, ObjectNode body) throws IOException, InterruptedException {
        return expected(call(method, path, body, Duration.ZERO), method + " " + path);
    }

    private Answer call(String path, ObjectNode body, Duration wait) throws IOException, InterruptedException {
        return call("POST", path, body, wait);
    }

    private Answer call(String method, String path, ObjectNode body, Duration wait)
            throws IOException, InterruptedException {
        String bearer = credential.orElseThrow(() -> new StartFailure(
                "no operator credential: set " + HubConfig.Key.OPERATOR_TOKEN.variable() + ", or run where the hub's "
                        + HubConfig.Key.DATA_DIR.variable() + " (with operator.token in it) is"));
        return answer(request(path, wait)
                .header("Authorization", "Bearer " + bearer)
                .method(
                        method,
                        method.equals("GET") || method.equals("DELETE")
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body.toString(), StandardCharsets.UTF_8)));
    }

    private HttpRequest.Builder request(String path, Duration wait) {
        return HttpRequest.newBuilder(URI.create(base.toString().replaceAll("/+$", "") + path))
                .timeout(ANSWER_TIMEOUT.plus(wait))
                .header("Content-Type", "application/json");
    }

    private Answer answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        try {
            HttpResponse<byte[]> response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), json(response.body()));
        } catch (ConnectException nobodyThere) {
            throw new Unreachable(
                    "no hub answers at " + base + ": start it with ./switchboard, or say where it is with --url",
                    nobodyThere);
        }
    }

    private static JsonNode json(byte[] body) throws IOException {
        try {
            return body.length == 0 ? MissingNode.getInstance() : JSON.readTree(body);
        } catch (JsonProcessingException notJson) {
            return MissingNode.getInstance();
        }
    }

    private JsonNode expected(Answer answer, String what) {
        if (answer.status() == 503) {
            throw new Unreachable("the hub at " + base + " is not ready: " + answer.refusal(), null);
        }
        if (!answer.ok()) {
            throw new StartFailure("the hub at " + base + " refused to " + what + ": " + answer.refusal());
        }
        return answer.body();
    }

    /** Nobody answers there, or only to say that it is not ready: worth another try later. */
    static final class Unreachable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Unreachable(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
