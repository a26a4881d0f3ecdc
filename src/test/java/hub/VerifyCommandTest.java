package hub;

import static org.assertj.core.api.Assertions.assertThat;

import fixtures.Deliveries;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The person whose webhook answers 401 learns why, and no secret. */
class VerifyCommandTest {
    private static final String SECRET = "hush-hush-4c1d";
    private static final String BODY = "{\"ref\": \"refs/heads/main\"}\n";

    @TempDir
    private Path folder;

    private final Map<String, String> environment = new HashMap<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeAdapters() throws IOException {
        Path adapters = Files.writeString(folder.resolve("adapters.yaml"), """
                adapters:
                  - {name: github, type: github, secret: "{{env:GITHUB}}"}
                  - {name: stripe, type: stripe, secret: [{id: live, value: "{{env:STRIPE}}"}]}
                  - {name: homelab, type: generic, token: "{{env:HOMELAB}}"}
                  - {name: off, type: github, secret: "{{env:NOWHERE}}"}
                  - {name: orders, type: route}
                """);
        environment.put("SWITCHBOARD_ADAPTERS", adapters.toString());
        environment.put("GITHUB", SECRET);
        environment.put("STRIPE", SECRET);
        environment.put("HOMELAB", SECRET);
    }

    private int verify(String adapter, String headers, String body, String... more) throws IOException {
        Path kept = Files.writeString(folder.resolve("h.txt"), headers);
        Path bytes = Files.write(folder.resolve("b.bin"), body.getBytes(StandardCharsets.UTF_8));
        List<String> arguments =
                new ArrayList<>(List.of("verify", adapter, "--headers", kept.toString(), "--body", bytes.toString()));
        arguments.addAll(List.of(more));
        int status = Switchboard.commandLine(
                        environment, Hub.backstage(), new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
        assertThat(out.toString() + err).doesNotContain(SECRET);
        return status;
    }

    private static String signed(String body, String secret) {
        return "> POST /webhooks/github HTTP/1.1\n> Host: hub\n> X-GitHub-Event: push\n> X-GitHub-Delivery: d-1\n"
                + "> x-hub-signature-256: " + Deliveries.signature(secret, body.getBytes(StandardCharsets.UTF_8))
                + "\n>\n";
    }

    @Test
    void deliveryThatIsLetInIsExplained() throws IOException {
        int status = verify("github", signed(BODY, SECRET), BODY);

        assertThat(err.toString()).isEmpty();
        assertThat(status).isZero();
        assertThat(out.toString())
                .contains("scheme     X-Hub-Signature-256 over {body}")
                .contains("signed     27 bytes, SHA-256 ")
                .contains("one matches")
                .contains("accepted   X-Hub-Signature-256 (HMAC-SHA256)")
                .contains("event type push")
                .contains("identity   d-1");
    }

    @Test
    void bodyThatLostItsLineBreakIsFoundOut() throws IOException {
        int status = verify("github", signed(BODY, SECRET), BODY.strip());

        assertThat(status).isEqualTo(1);
        assertThat(out.toString())
                .contains("none matches")
                .contains("refused    github: X-Hub-Signature-256 does not match the body")
                .contains("it would be let in with the body with a line break at its end");
    }

    @Test
    void bodyThatWasPrintedAgainIsFoundOut() throws IOException {
        verify("github", signed("{\"ref\":\"refs/heads/main\"}", SECRET), BODY);

        assertThat(out.toString()).contains("it would be let in with the body as JSON without white space");
    }

    @Test
    void secretWithALineBreakIsFoundOut() throws IOException {
        environment.put("GITHUB", SECRET + "\n");

        verify("github", signed(BODY, SECRET), BODY);

        assertThat(out.toString()).contains("it would be let in with the secret stripped of white space");
    }

    @Test
    void anotherSecretIsSuspectedWhenNothingElseHelps() throws IOException {
        assertThat(verify("github", signed(BODY, "another"), BODY)).isEqualTo(1);
        assertThat(out.toString()).contains("most likely the secret is another one");
    }

    @Test
    void oldSignatureIsToldFromAWrongOne() throws IOException, GeneralSecurityException {
        Instant signedAt = Instant.parse("2026-01-31T10:00:00Z");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String bytes = signedAt.getEpochSecond() + ".{\"id\":\"evt_1\",\"type\":\"charge.failed\"}";
        String header = "Stripe-Signature: t=" + signedAt.getEpochSecond() + ",v1="
                + HexFormat.of().formatHex(mac.doFinal(bytes.getBytes(StandardCharsets.UTF_8)));
        String body = bytes.substring(bytes.indexOf('{'));

        assertThat(verify("stripe", header, body)).isEqualTo(1);
        assertThat(out.toString())
                .contains("time       " + signedAt.getEpochSecond() + " is 2026-01-31T10:00:00Z")
                .contains("signature_expired")
                .contains("the signature itself is right");
        assertThat(verify("stripe", header, body, "--at", "2026-01-31T10:04:59Z"))
                .isZero();
        assertThat(out.toString()).contains("secret \"live\"").contains("identity   evt_1");
    }

    @Test
    void tokensAreExplainedToo() throws IOException {
        assertThat(verify("homelab", "Authorization: Bearer guess", BODY)).isEqualTo(1);
        assertThat(out.toString())
                .contains("place      Authorization: Bearer: 5 bytes, not the adapter's")
                .contains("place      X-Switchboard-Token: nothing")
                .contains("token_mismatch");
        assertThat(verify("homelab", "Authorization: Bearer " + SECRET, BODY)).isZero();
        assertThat(verify("homelab", "POST /webhooks/generic/homelab?token=" + SECRET, BODY))
                .isZero();
    }

    @Test
    void whatCannotBeExplainedIsSaid() throws IOException {
        assertThat(verify("githib", "", BODY)).isEqualTo(1);
        assertThat(verify("off", "", BODY)).isEqualTo(1);
        assertThat(verify("orders", "", BODY)).isEqualTo(1);
        assertThat(verify("github", "no header at all", BODY)).isEqualTo(1);
        assertThat(verify("github", "", BODY, "--at", "yesterday")).isEqualTo(1);

        assertThat(err.toString())
                .contains("did you mean \"github\"?")
                .contains("the adapter off is off: NOWHERE is not set")
                .contains("the adapter orders verifies nothing")
                .contains("line 1 is no header")
                .contains("--at is no time");
    }
}
