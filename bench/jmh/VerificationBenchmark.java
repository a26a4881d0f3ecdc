package jmh;

import adapters.AdaptersFile;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import verify.Request;
import verify.Verified;
import verify.Verifier;

/** What a delivery of 2 KiB costs to verify, beside the bare HMAC-SHA256 of its bytes, on one thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class VerificationBenchmark {
    private static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8);

    @Param({"github", "stripe", "standard-webhooks"})
    public String type;

    private Verifier verifier;
    private Request request;
    private SecretKeySpec key;

    @Setup
    public void sign() throws Exception {
        key = new SecretKeySpec(SECRET, "HmacSHA256");
        String secret = type.equals("standard-webhooks")
                ? "whsec_" + Base64.getEncoder().encodeToString(SECRET)
                : new String(SECRET, StandardCharsets.UTF_8);
        verifier = AdaptersFile.parse("bench", "adapters: [{name: it, type: " + type + ", secret: '" + secret + "'}]", name -> null)
                .webhook("it")
                .orElseThrow()
                .verifier();
        String filler = "x".repeat(2_048 - 60);
        byte[] body = ("{\"id\":\"evt_1\",\"type\":\"charge.failed\",\"filler\":\"" + filler + "\"}")
                .getBytes(StandardCharsets.UTF_8);
        Instant now = Instant.ofEpochSecond(1_769_853_600);
        Map<String, String> headers = new HashMap<>();
        headers.put("content-type", "application/json");
        for (int i = 0; i < 12; i++) {
            headers.put("x-other-" + i, "value");
        }
        switch (type) {
            case "github" -> {
                headers.put("x-github-event", "push");
                headers.put("x-github-delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958");
                headers.put("x-hub-signature-256", "sha256=" + HexFormat.of().formatHex(mac(body)));
            }
            case "stripe" -> {
                byte[] signed = ("1769853600." + new String(body, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
                headers.put("stripe-signature", "t=1769853600,v1=" + HexFormat.of().formatHex(mac(signed)));
            }
            default -> {
                byte[] signed = ("msg_1.1769853600." + new String(body, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
                headers.put("webhook-id", "msg_1");
                headers.put("webhook-timestamp", "1769853600");
                headers.put("webhook-signature", "v1," + Base64.getEncoder().encodeToString(mac(signed)));
            }
        }
        request = new Request("POST", "https://hub/webhooks/it", headers, name -> null, body, now);
    }

    private byte[] mac(byte[] bytes) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        return mac.doFinal(bytes);
    }

    /** All that the hub does: find, parse, sign, compare, name. */
    @Benchmark
    public Verified verified() {
        return verifier.verify(request);
    }

    /** What no verification can be cheaper than. */
    @Benchmark
    public boolean bareHmac() throws Exception {
        byte[] mac = mac(request.body());
        return MessageDigest.isEqual(mac, mac);
    }
}
