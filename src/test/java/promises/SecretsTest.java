package promises;

import static org.assertj.core.api.Assertions.assertThat;

import fixtures.Answer;
import fixtures.Deliveries;
import fixtures.DurableDatabase;
import fixtures.HubHome;
import fixtures.HubProcess;
import fixtures.Operator;
import hub.HubConfig;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No secret stands in clear in the database, a log or an answer, whatever the spelling of its header. */
@Timeout(60)
class SecretsTest {
    private static final String BODY = "{\"host\":\"nas\"}";
    private static final String SIGNATURE =
            Deliveries.signature(HubHome.GITHUB_SECRET, BODY.getBytes(StandardCharsets.UTF_8));
    private static final String WRONG_TOKEN = "wrong-token-0e7a";
    private static final String COOKIE = "session-of-somebody-51fe";
    private static final List<String> SECRETS = List.of(
            HubHome.GITHUB_SECRET,
            HubHome.HOMELAB_TOKEN,
            HubHome.OPERATOR_TOKEN,
            SIGNATURE.substring("sha256=".length()),
            WRONG_TOKEN,
            COOKIE);

    @AutoClose
    private static final DurableDatabase DATABASE = DurableDatabase.create();

    @TempDir
    private Path folder;

    @Test
    void secretsAreNowhereInClear() {
        HubHome home = HubHome.in(folder).database(DATABASE.url()).set(HubConfig.Key.LOG_LEVEL, "debug");
        try (HubProcess hub = HubProcess.started(home)) {
            List<Answer> answers = sendWithEverySecretEverywhere(hub.uri());

            hub.terminate();
            hub.exitStatus(java.time.Duration.ofSeconds(20));

            assertThat(answers).extracting(Answer::status).contains(202, 401, 403, 404);
            for (String secret : SECRETS) {
                assertThat(answers).noneMatch(answer -> answer.text().contains(secret));
                assertThat(hub.log()).doesNotContain(secret);
                assertThat(rowsWith(secret)).as("rows with " + secret).isEmpty();
            }
            assertThat(DATABASE.count("SELECT count(*) FROM events WHERE headers::text LIKE '%«redacted»%'"))
                    .isGreaterThanOrEqualTo(4);
        }
    }

    private static List<Answer> sendWithEverySecretEverywhere(URI hub) {
        Operator operator = Operator.of(hub);
        Deliveries signed = Deliveries.signedBy("github").body(BODY).withId("signed");
        Deliveries byToken = Deliveries.withTokenFor("homelab").body(BODY);
        Deliveries noToken = byToken.withoutHeader("X-Switchboard-Token");
        List<Answer> answers = new ArrayList<>();
        answers.add(signed.signatureHeaderSpelt("x-HUB-signature-256")
                .header("Cookie", COOKIE)
                .sendTo(hub));
        answers.add(signed.withId("tampered").tampered().sendTo(hub));
        answers.add(signed.withId("elsewhere").signedWith(WRONG_TOKEN).sendTo(hub));
        answers.add(byToken.withId("header")
                .header("x-SWITCHBOARD-token", HubHome.HOMELAB_TOKEN)
                .sendTo(hub));
        answers.add(noToken.withId("bearer")
                .header("Authorization", "Bearer " + HubHome.HOMELAB_TOKEN)
                .sendTo(hub));
        answers.add(
                noToken.withId("query").query("token=" + HubHome.HOMELAB_TOKEN).sendTo(hub));
        answers.add(noToken.withId("referer")
                .query("token=" + HubHome.HOMELAB_TOKEN)
                .header("Referer", "http://proxy/?a=1&TOKEN=" + HubHome.HOMELAB_TOKEN)
                .sendTo(hub));
        answers.add(noToken.header("X-Switchboard-Token", WRONG_TOKEN).sendTo(hub));
        answers.add(noToken.query("token=" + WRONG_TOKEN).sendTo(hub));
        answers.add(Deliveries.withTokenFor("nobody").sendTo(hub));
        answers.add(operator.get("/v1/events"));
        answers.add(operator.get("/v1/events/" + answers.get(0).eventId()));
        answers.add(operator.get("/v1/operator/adapters"));
        answers.add(operator.get("/v1/operator/settings"));
        answers.add(operator.get("/health/ready"));
        answers.add(operator.put("/v1/operator/settings/" + WRONG_TOKEN.replace('-', '_'), "{}"));
        return answers;
    }

    /** Tables that hold the text anywhere, bodies among it. */
    private static List<String> rowsWith(String text) {
        List<String> found = new ArrayList<>();
        DATABASE.query("SELECT relname FROM pg_stat_user_tables").forEach(table -> {
            String name = (String) table.get("relname");
            long rows = DATABASE.count(
                    "SELECT count(*) FROM \"%s\" t WHERE strpos(t::text, ?) > 0 OR strpos(t::text, ?) > 0"
                            .formatted(name),
                    text,
                    java.util.HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)));
            if (rows > 0) {
                found.add(rows + " in " + name);
            }
        });
        return found;
    }
}
