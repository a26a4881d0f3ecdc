package hub;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Option;

/** Mixed into commands that ask a running hub about access: which hub, as whom, and how the answer is shown. */
final class Calling {
    private static final int PAGE = 100;

    @Option(names = "--url", description = "the hub (default: the one of this configuration)")
    private Optional<URI> url = Optional.empty();

    @Option(
            names = "--token-env",
            paramLabel = "VARIABLE",
            description = "the variable with the credential to call with (default: the operator's credential)")
    private Optional<String> tokenVariable = Optional.empty();

    @Option(names = "--json", description = "print the answer as it came instead of a table")
    private boolean json;

    private HubClient hub(HubConfig config) {
        return tokenVariable
                .map(variable -> HubClient.of(config, url, token(config, variable)))
                .orElseGet(() -> HubClient.of(config, url));
    }

    private static String token(HubConfig config, String variable) {
        String token = config.environment().getOrDefault(variable, "");
        if (token.isBlank()) {
            throw new StartFailure(variable + " is not set: it must hold the credential to call with");
        }
        return token;
    }

    /** One call, and its answer printed. */
    int run(HubConfig config, PrintWriter out, String method, String path, ObjectNode body)
            throws IOException, InterruptedException {
        print(out, hub(config).manage(method, path, body));
        return 0;
    }

    int get(HubConfig config, PrintWriter out, String path) throws IOException, InterruptedException {
        return run(config, out, "GET", path, nothing());
    }

    /** Every page of a list, printed as one. */
    int list(HubConfig config, PrintWriter out, String path, String field) throws IOException, InterruptedException {
        ObjectNode all = nothing();
        rows(hub(config), path, field).forEach(all.putArray(field)::add);
        print(out, all);
        return 0;
    }

    private static List<JsonNode> rows(HubClient hub, String path, String field)
            throws IOException, InterruptedException {
        List<JsonNode> rows = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = hub.manage("GET", path + "?limit=" + PAGE + cursor, nothing());
            page.path(field).forEach(rows::add);
            cursor = "&cursor=" + encoded(page.path("next_cursor").asText());
            if (page.path("next_cursor").isNull()) {
                return rows;
            }
        } while (true);
    }

    /** The id of an agent that is named by its id or by its name. */
    String agent(HubConfig config, String named) throws IOException, InterruptedException {
        try {
            return UUID.fromString(named).toString();
        } catch (IllegalArgumentException aName) {
            return rows(hub(config), "/v1/account/agents", "agents").stream()
                    .filter(agent -> agent.path("name").asText().equals(named))
                    .map(agent -> agent.path("id").asText())
                    .findFirst()
                    .orElseThrow(() -> new StartFailure(
                            "there is no agent " + named + ": ./switchboard agent list shows who there is"));
        }
    }

    private void print(PrintWriter out, JsonNode answer) {
        out.println(json ? answer.toPrettyString() : Table.of(answer));
        out.flush();
    }

    static ObjectNode nothing() {
        return JsonNodeFactory.instance.objectNode();
    }

    static void put(ObjectNode body, String field, List<String> values) {
        if (!values.isEmpty()) {
            values.forEach(body.putArray(field)::add);
        }
    }

    static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8);
    }
}
