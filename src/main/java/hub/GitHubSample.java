package hub;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A delivery as GitHub sends it: the body, and headers that name the event, the delivery and the signature over the bytes
 * ({@code sha256=} and the HMAC-SHA256 in hex, see "Validating webhook deliveries" in GitHub's documentation).
 */
final class GitHubSample {
    private static final String SAMPLES = "/examples/github/";

    private final byte[] body;
    private final String event;
    private final String deliveryId;

    private GitHubSample(byte[] body, String event, String deliveryId) {
        this.body = body;
        this.event = event;
        this.deliveryId = deliveryId;
    }

    /** @param name a file, or one of the samples that come with the hub ({@code push.json}), found from any folder */
    static GitHubSample of(String name, String event, String deliveryId) throws IOException {
        return new GitHubSample(body(name), event, deliveryId);
    }

    /** The same body as another delivery. */
    GitHubSample as(String otherDeliveryId) {
        return new GitHubSample(body, event, otherDeliveryId);
    }

    String deliveryId() {
        return deliveryId;
    }

    /** The same headers over a body that somebody changed on the way. */
    HubClient.Answer sendTampered(HubClient hub, String adapter, String secret)
            throws IOException, InterruptedException {
        byte[] changed = body.clone();
        changed[changed.length / 2] ^= 1;
        return hub.deliver("/webhooks/" + adapter, changed, headers(secret));
    }

    HubClient.Answer send(HubClient hub, String adapter, String secret) throws IOException, InterruptedException {
        return hub.deliver("/webhooks/" + adapter, body, headers(secret));
    }

    private Map<String, String> headers(String secret) {
        return Map.of(
                "User-Agent",
                "GitHub-Hookshot/switchboard",
                "X-GitHub-Event",
                event,
                "X-GitHub-Delivery",
                deliveryId,
                "X-Hub-Signature-256",
                "sha256=" + hmac(secret, body));
    }

    static String hmac(String secret, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has HmacSHA256", impossible);
        }
    }

    private static byte[] body(String name) throws IOException {
        Path file = Path.of(name);
        if (Files.isRegularFile(file)) {
            return Files.readAllBytes(file);
        }
        try (InputStream sample = GitHubSample.class.getResourceAsStream(SAMPLES + file.getFileName())) {
            if (sample == null) {
                throw new StartFailure(name + ": no such file, and no sample of that name. Samples are push.json,"
                        + " pull_request.opened.json, issues.opened.json and ping.json");
            }
            return sample.readAllBytes();
        }
    }
}
