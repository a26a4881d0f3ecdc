package verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import model.Refusal;
import model.TrustMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureVerifierTest {

    private static final String SECRET = "It's a Secret to Everybody";
    private static final String PUBLISHED = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

    private static final Scheme GITHUB = new Scheme(
            RequestPart.of("header:X-Hub-Signature-256"),
            ",",
            List.of(new Scheme.Version("sha256=", Algorithm.HMAC_SHA256, Encoding.HEX, Scheme.KeyForm.TEXT, "")),
            SignedBytes.BODY,
            Optional.empty(),
            Optional.empty(),
            Selection.of("header:X-GitHub-Event"),
            Selection.of("header:X-GitHub-Delivery"),
            false);

    private final Verifier github = new SignatureVerifier("github", GITHUB, List.of(Secret.of(SECRET)));

    @Test
    void publishedVectorOfGitHubIsAccepted() {
        Verified verified = github.verify(signed("Hello, World!", PUBLISHED));

        assertThat(verified.verified()).isTrue();
        assertThat(verified.detail())
                .isEqualTo("X-Hub-Signature-256 (HMAC-SHA256); not signed: the event type, the delivery id");
        assertThat(github.trustMode()).isEqualTo(TrustMode.SIGNED);
    }

    @Test
    void eventTypeAndIdentityComeFromTheHeaders() {
        Map<String, String> headers = Map.of(
                "x-hub-signature-256", PUBLISHED,
                "x-github-event", "pull_request",
                "x-github-delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958");

        Verified verified = github.verify(request(headers, "Hello, World!"));

        assertThat(verified.eventType()).isEqualTo("pull_request");
        assertThat(verified.externalId()).isEqualTo("72d3162e-cc78-11e3-81ab-4c9367dc0958");
    }

    /** Case 1: the form as a whole is signed, not the JSON inside. */
    @Test
    void formBodyIsVerifiedAsItWasSent() throws Exception {
        String form = "payload=%7B%22action%22%3A%22opened%22%7D";

        assertThat(github.verify(signed(form, sign(form.getBytes(StandardCharsets.UTF_8))))
                        .verified())
                .isTrue();
    }

    /** Cases 2, 3, 12 and 15: what is signed is bytes. */
    @Test
    void anyBytesAreVerifiedAsTheyAre() throws Exception {
        byte[][] bodies = {
            "{\"title\": \"grüße 🚀 \\u00e9 \\ud83d\"}".getBytes(StandardCharsets.UTF_8),
            new byte[0],
            {0, (byte) 0xFF, (byte) 0xC3, 0x28, 0},
            gzipped("{\"a\":1}")
        };

        for (byte[] body : bodies) {
            Request request = new Request(
                    "POST",
                    "http://127.0.0.1/webhooks/it",
                    Map.of("x-hub-signature-256", sign(body)),
                    name -> null,
                    body,
                    Instant.EPOCH);
            assertThat(github.verify(request).verified()).isTrue();
        }
    }

    @Test
    void sameJsonWithOtherWhiteSpaceIsRefused() throws Exception {
        String signature = sign("{\"a\":1}".getBytes(StandardCharsets.UTF_8));

        assertRefused(signed("{\"a\": 1}", signature), Refusal.Code.SIGNATURE_MISMATCH);
    }

    /** Case 6. */
    @ParameterizedTest
    @ValueSource(strings = {"x-hub-signature-256", "X-Hub-Signature-256", "X-HUB-SIGNATURE-256"})
    void headerIsFoundWhateverItsCase(String name) {
        assertThat(github.verify(request(Map.of(name, PUBLISHED), "Hello, World!"))
                        .verified())
                .isTrue();
    }

    /** Case 7. */
    @Test
    void anyValidSignatureAmongSeveralIsEnough() {
        String other = "sha256=" + "0".repeat(64);

        for (String header : new String[] {
            other + ", " + PUBLISHED,
            PUBLISHED + "," + other,
            "sha1=7d38cdd689735b008b3c702edd92eea23791c5f6, v9=x, " + PUBLISHED,
            "sha256=nonsense," + PUBLISHED,
            "sha256=" + PUBLISHED.substring(7).toUpperCase(Locale.ROOT)
        }) {
            assertThat(github.verify(signed("Hello, World!", header)).verified())
                    .as(header)
                    .isTrue();
        }
        assertRefused(signed("Hello, World!", other + ", " + other), Refusal.Code.SIGNATURE_MISMATCH);
    }

    @Test
    void missingSignatureIsNamed() {
        assertRefused(request(Map.of(), "Hello, World!"), Refusal.Code.SIGNATURE_MISSING);
        assertRefused(signed("Hello, World!", "  "), Refusal.Code.SIGNATURE_MISSING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
                "sha256=",
                "sha256=757107",
                "sha256=g57107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
                "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e1７",
                "sha1=7d38cdd689735b008b3c702edd92eea23791c5f6",
                ",,,"
            })
    void signatureOfAnotherFormIsMalformed(String header) {
        assertRefused(signed("Hello, World!", header), Refusal.Code.SIGNATURE_MALFORMED);
    }

    /** Case 17. */
    @Test
    void queryNeverPosesAsAHeader() {
        Map<String, String> query = Map.of("X-Hub-Signature-256", PUBLISHED, "X-GitHub-Event", "evil");

        assertRefused(
                new Request(
                        "POST",
                        "http://127.0.0.1/webhooks/it",
                        Map.of(),
                        query::get,
                        bytes("Hello, World!"),
                        Instant.EPOCH),
                Refusal.Code.SIGNATURE_MISSING);
        assertThat(github.verify(new Request(
                                "POST",
                                "http://127.0.0.1/webhooks/it",
                                Map.of("x-hub-signature-256", PUBLISHED, "x-github-event", "push"),
                                query::get,
                                bytes("Hello, World!"),
                                Instant.EPOCH))
                        .eventType())
                .isEqualTo("push");
    }

    @Test
    void refusalNamesTheDeliveryAndKeepsEverySecret() {
        Map<String, String> headers = Map.of(
                "x-hub-signature-256", PUBLISHED, "x-github-delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958\r\nfake");

        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> github.verify(request(headers, "Goodbye, World!")))
                .satisfies(refusal -> assertThat(refusal.getMessage())
                        .isEqualTo("github: X-Hub-Signature-256 does not match the body"
                                + " (delivery 72d3162e…, signature_mismatch)"));
    }

    @Test
    void verifierPrintsNoSecret() {
        assertThat(github.toString()).doesNotContain("Everybody");
    }

    @Test
    void blankSecretCannotEvenBeConfigured() {
        assertThatIllegalArgumentException().isThrownBy(() -> Secret.of(" "));
    }

    /** Whatever stands in the header, the answer is one of three refusals, and never a way in. */
    @Test
    void garbageInTheHeaderIsRefusedAndNothingElse() {
        Random random = new Random(20_260_101);
        String alphabet = "sha256=,; \t0f9AFgG\u0000é７\uD83D";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder header = new StringBuilder(random.nextBoolean() ? "sha256=" : "");
            int length = random.nextInt(90);
            for (int i = 0; i < length; i++) {
                header.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }

            assertThatExceptionOfType(Refusal.class)
                    .as(header.toString())
                    .isThrownBy(() -> github.verify(signed("Hello, World!", header.toString())))
                    .satisfies(refusal -> assertThat(refusal.code())
                            .isIn(
                                    Refusal.Code.SIGNATURE_MISSING,
                                    Refusal.Code.SIGNATURE_MALFORMED,
                                    Refusal.Code.SIGNATURE_MISMATCH));
        }
    }

    @Test
    void everySingleWrongDigitIsRefused() {
        for (int at = 7; at < PUBLISHED.length(); at++) {
            char wrong = PUBLISHED.charAt(at) == '0' ? '1' : '0';
            String tampered = PUBLISHED.substring(0, at) + wrong + PUBLISHED.substring(at + 1);
            assertRefused(signed("Hello, World!", tampered), Refusal.Code.SIGNATURE_MISMATCH);
        }
    }

    @Test
    void headerStuffedWithGuessesIsNotReadToItsEnd() {
        String guesses = ("sha256=" + "0".repeat(64) + ",").repeat(16);

        assertRefused(signed("Hello, World!", guesses + PUBLISHED), Refusal.Code.SIGNATURE_MISMATCH);
    }

    @ParameterizedTest
    @CsvSource({"signature_missing,SIGNATURE_MISSING", "signature_mismatch,SIGNATURE_MISMATCH"})
    void messageEndsInTheStableCode(String word, Refusal.Code code) {
        Request request = code == Refusal.Code.SIGNATURE_MISSING
                ? request(Map.of(), "x")
                : signed("x", "sha256=" + "0".repeat(64));

        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> github.verify(request))
                .satisfies(refusal -> assertThat(refusal.getMessage()).endsWith("(" + word + ")"));
    }

    private void assertRefused(Request request, Refusal.Code code) {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> github.verify(request))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    private static Request signed(String body, String signature) {
        return request(Map.of("x-hub-signature-256", signature), body);
    }

    private static Request request(Map<String, String> headers, String body) {
        return new Request(
                "POST",
                "http://127.0.0.1/webhooks/it",
                new HashMap<>(headers),
                name -> null,
                bytes(body),
                Instant.EPOCH);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzipped(String text) throws java.io.IOException {
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes(text));
        }
        return out.toByteArray();
    }

    private static String sign(byte[] body) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(bytes(SECRET), "HmacSHA256"));
        return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
    }
}
