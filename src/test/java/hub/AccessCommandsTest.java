package hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import fixtures.Bearer;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Vending and revoking from a terminal, against a running hub. */
class AccessCommandsTest {
    @TempDir
    static Path folder;

    private static DurableDatabase database;
    private static Hub hub;

    private final Map<String, String> environment =
            new TreeMap<>(Map.of("SWITCHBOARD_OPERATOR_TOKEN", HubHome.OPERATOR_TOKEN));

    @BeforeAll
    static void aHub() {
        database = DurableDatabase.create();
        hub = Hub.start(HubHome.in(folder).database(database.url()).config());
    }

    @AfterAll
    static void stop() {
        hub.close();
        database.close();
    }

    /** What it printed; it must have gone well. */
    private String run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", hub.uri().toString()));
        int status = Switchboard.commandLine(environment, Hub.backstage(), new PrintWriter(out), new PrintWriter(err))
                .execute(all.toArray(String[]::new));
        assertThat(status).as(err.toString()).isZero();
        return out.toString();
    }

    private JsonNode json(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--json");
        return JsonMapper.builder().build().readTree(run(all.toArray(String[]::new)));
    }

    @Test
    void anAgentGetsItsEndpointAndLosesIt() throws Exception {
        environment.put("ADA", json("account", "create", "ada").path("token").asText());
        run("agent", "register", "scout", "--description", "Looks around.", "--token-env", "ADA");

        JsonNode vended = json(
                "endpoint",
                "vend",
                "scout",
                "--queue",
                "reviews",
                "--queue",
                "pushes",
                "--verb",
                "work",
                "--max-lease",
                "60",
                "--token-env",
                "ADA");
        Bearer agent = Bearer.of(hub.uri(), vended.path("credential").asText());
        int before = agent.get("/v1/me").status();
        String listed = run("endpoint", "list", "--token-env", "ADA");
        String revoked = run("endpoint", "revoke", vended.path("id").asText(), "--token-env", "ADA");

        assertThat(before).isEqualTo(200);
        assertThat(listed.lines().toList().get(0)).startsWith("id ").contains("agent", "queues", "revoked_at");
        assertThat(listed)
                .contains("reviews,pushes")
                .contains(vended.path("prefix").asText());
        assertThat(revoked.lines()).anyMatch(line -> line.matches("revoked_at +20.*"));
        assertThat(agent.get("/v1/me").status()).isEqualTo(401);
    }

    @Test
    void queueIsPausedAndGoesOn() throws Exception {
        run("queue", "set", "builds", "--lease", "17");

        boolean paused = json("queue", "pause", "builds").path("paused").asBoolean();
        boolean resumed = json("queue", "resume", "builds").path("paused").asBoolean();

        assertThat(paused).isTrue();
        assertThat(resumed).isFalse();
        assertThat(json("queue", "show", "builds").path("lease_seconds").asInt())
                .isEqualTo(17);
        assertThat(run("queue", "list")).contains("builds");
    }

    @Test
    void friendsAskAndGrant() throws Exception {
        environment.put("BOB", json("account", "create", "bob").path("token").asText());

        JsonNode edge = json("friend", "ask", "operator", "--queue", "lent", "--verb", "create", "--token-env", "BOB");
        JsonNode approved = json("friend", "approve", edge.path("id").asText());

        assertThat(run("friend", "list")).contains("approved", "lent");
        assertThat(Bearer.of(hub.uri(), approved.path("credential").asText()).todo("lent"))
                .isNotEmpty();
    }
}
