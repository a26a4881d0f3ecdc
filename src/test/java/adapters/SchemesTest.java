package adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import model.Refusal;
import model.TrustMode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import verify.Request;
import verify.Verified;
import verify.Verifier;

/** Each scheme of the table, with what a provider sends and what a forger would. */
class SchemesTest {
    private static final Instant NOW = Instant.parse("2026-02-03T04:05:06Z");

    /** A way to sign: a scheme has one, or two. */
    private record Way(String type, SchemeEntry scheme, boolean asymmetric) {
        SchemeSigner signer() {
            return new SchemeSigner(scheme, asymmetric, 1);
        }

        @Override
        public String toString() {
            return type + (asymmetric ? ", asymmetric" : "");
        }
    }

    private static Stream<Way> ways() {
        return Schemes.shipped().entrySet().stream()
                .filter(row -> !row.getValue().isToken() && !row.getValue().isProgram())
                .flatMap(row -> {
                    Way first = new Way(row.getKey(), row.getValue(), false);
                    return row.getValue().asymmetric() == null
                            ? Stream.of(first)
                            : Stream.of(first, new Way(row.getKey(), row.getValue(), true));
                });
    }

    private static Verifier verifier(String type, String more, String... secrets) {
        StringBuilder yaml = new StringBuilder("adapters:\n  - name: it\n    type: " + type + "\n    secret:\n");
        Map<String, String> environment = new HashMap<>();
        for (int i = 0; i < secrets.length; i++) {
            yaml.append("      - {id: s")
                    .append(i)
                    .append(", value: \"{{env:S")
                    .append(i)
                    .append("}}\"}\n");
            environment.put("S" + i, secrets[i]);
        }
        return AdaptersFile.parse("test", yaml + more, environment::get)
                .webhook("it")
                .orElseThrow()
                .verifier();
    }

    private static Verifier verifier(Way way, SchemeSigner signer) {
        return verifier(way.type, "", signer.secret());
    }

    private static void assertRefused(Verifier verifier, Request request, Refusal.Code... codes) {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> verifier.verify(request))
                .satisfies(refusal -> {
                    assertThat(refusal.code()).isIn((Object[]) codes);
                    assertThat(refusal.getMessage()).endsWith(refusal.code().word() + ")");
                });
    }

    @TestFactory
    Stream<DynamicTest> whatTheProviderSendsIsLetIn() {
        return each(way -> {
            SchemeSigner signer = way.signer();

            Verified verified = verifier(way, signer).verify(signer.request(signer.body(NOW), NOW, NOW));

            assertThat(verified.verified()).isEqualTo(signer.isBodySigned() || way.scheme.bodyDigest() != null);
            assertThat(verified.secret()).isEqualTo("s0");
            // a form would be another body
            if (way.scheme.eventType() != null && !way.scheme.eventType().get(0).startsWith("form:")) {
                assertThat(verified.eventType()).startsWith("value of ");
            }
            if (way.scheme.id() != null) {
                assertThat(verified.externalId()).startsWith("value of ");
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> tamperedBodyIsRefused() {
        return each(way -> {
            SchemeSigner signer = way.signer();
            if (!signer.isBodySigned() && way.scheme.bodyDigest() == null) {
                assertThat(verifier(way, signer).trustMode()).isEqualTo(TrustMode.TOKEN);
                return;
            }
            byte[] body = signer.body(NOW);
            byte[] tampered = new String(body, StandardCharsets.UTF_8)
                    .replace("title", "tltle")
                    .getBytes(StandardCharsets.UTF_8);

            assertRefused(
                    verifier(way, signer),
                    signer.request(body, tampered, NOW, NOW, ""),
                    Refusal.Code.SIGNATURE_MISMATCH);
        });
    }

    @TestFactory
    Stream<DynamicTest> anotherSecretIsRefused() {
        return each(way -> {
            SchemeSigner stranger = new SchemeSigner(way.scheme, way.asymmetric, 2);

            assertRefused(
                    verifier(way, way.signer()),
                    stranger.request(stranger.body(NOW), NOW, NOW),
                    Refusal.Code.SIGNATURE_MISMATCH);
        });
    }

    @TestFactory
    Stream<DynamicTest> missingAndMalformedSignaturesAreNamed() {
        return each(way -> {
            SchemeSigner signer = way.signer();
            Request good = signer.request(signer.body(NOW), NOW, NOW);
            if (!way.scheme.signature().startsWith("header:")) {
                assertRefused(
                        verifier(way, signer),
                        new Request("POST", good.url(), good.headers(), name -> null, signer.body(NOW), NOW),
                        Refusal.Code.SIGNATURE_MISSING);
                return;
            }
            String header = way.scheme.signature().substring("header:".length());

            assertRefused(verifier(way, signer), with(good, header, null), Refusal.Code.SIGNATURE_MISSING);
            for (String wrong : List.of("!", "é=ü", ",,,", "v1=", "v1,", " = ", "x".repeat(8_000))) {
                assertRefused(
                        verifier(way, signer),
                        with(good, header, wrong),
                        Refusal.Code.SIGNATURE_MALFORMED,
                        Refusal.Code.SIGNATURE_MISSING,
                        Refusal.Code.SIGNATURE_MISMATCH);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> headersAreFoundWhateverTheirCase() {
        return each(way -> {
            SchemeSigner signer = way.signer();
            Request good = signer.request(signer.body(NOW), NOW, NOW);
            Map<String, String> shouted = new HashMap<>();
            good.headers().forEach((name, value) -> shouted.put(name.toUpperCase(Locale.ROOT), value));

            assertThat(verifier(way, signer)
                            .verify(new Request("POST", good.url(), shouted, good.query(), good.body(), NOW)))
                    .isNotNull();
        });
    }

    /** Case 4. */
    @TestFactory
    Stream<DynamicTest> oldAndFutureTimesAreRefusedAndZeroSwitchesThatOff() {
        return each(way -> {
            if (!way.scheme.hasTime()) {
                return;
            }
            SchemeSigner signer = way.signer();
            Verifier verifier = verifier(way.type, "    tolerance: 300s\n", signer.secret());

            for (int seconds : List.of(-299, 0, 299)) {
                Instant signed = NOW.plusSeconds(seconds);
                assertThat(verifier.verify(signer.request(signer.body(signed), signed, NOW)))
                        .isNotNull();
            }
            for (int seconds : List.of(-301, 301, -86_400_000, 86_400_000)) {
                Instant signed = NOW.plusSeconds(seconds);
                assertRefused(
                        verifier, signer.request(signer.body(signed), signed, NOW), Refusal.Code.SIGNATURE_EXPIRED);
            }
            Instant old = NOW.minus(Duration.ofDays(900));
            assertThat(verifier(way.type, "    tolerance: \"0\"\n", signer.secret())
                            .verify(signer.request(signer.body(old), old, NOW)))
                    .isNotNull();
        });
    }

    /** Cases 7 and 8. */
    @TestFactory
    Stream<DynamicTest> oneOfSeveralSignaturesAndSecretsIsEnough() {
        return each(way -> {
            SchemeSigner signer = way.signer();
            SchemeSigner former = new SchemeSigner(way.scheme, way.asymmetric, 2);
            String separator = way.scheme.separator() == null ? "," : way.scheme.separator();
            byte[] body = signer.body(NOW);

            assertThat(verifier(way, signer).verify(signer.request(body, body, NOW, NOW, "v0=other" + separator)))
                    .isNotNull();
            assertThat(verifier(way.type, "", former.secret(), signer.secret())
                            .verify(signer.request(body, NOW, NOW))
                            .secret())
                    .isEqualTo("s1");
        });
    }

    /** Cases 3, 12 and 15. */
    @TestFactory
    Stream<DynamicTest> emptyAndBinaryBodiesAreVerifiedAsTheyAre() {
        return each(way -> {
            SchemeSigner signer = way.signer();
            if (!signer.takesAnyBody()) {
                return;
            }
            for (byte[] body : List.of(new byte[0], new byte[] {0, (byte) 0xFF, (byte) 0xC3, 0x28, 0, '\r', '\n'})) {
                assertThat(verifier(way, signer)
                                .verify(signer.request(body, NOW, NOW))
                                .verified())
                        .isTrue();
            }
        });
    }

    /**
     * Whatever stands in the headers that a scheme reads: a refusal, and never another failure. Thousands of times here, a
     * hundred thousand in the soak.
     */
    @TestFactory
    Stream<DynamicTest> strangeHeadersAreRefused() {
        return each(way -> {
            SchemeSigner signer = way.signer();
            Verifier verifier = verifier(way, signer);
            Request good = signer.request(signer.body(NOW), NOW, NOW);
            List<String> names = new ArrayList<>(good.headers().keySet());
            Random random = new Random(20_260_203);
            // a public key takes long to try, and parsing is what is looked at here
            int rounds =
                    way.asymmetric || String.valueOf(way.scheme.algorithm()).matches("ed25519|ecdsa.*|rsa.*")
                            ? 2_000
                            : FUZZ_ROUNDS;
            for (int round = 0; round < rounds; round++) {
                String name = names.get(random.nextInt(names.size()));
                Request strange = with(good, name, mutated(good.headers().get(name), random));
                try {
                    verifier.verify(strange);
                } catch (Refusal refusal) {
                    assertThat(refusal.code().word()).startsWith("signature_");
                }
            }
        });
    }

    private static final int FUZZ_ROUNDS = Integer.getInteger("switchboard.fuzz", 5_000);

    private static String mutated(String value, Random random) {
        StringBuilder text = new StringBuilder(value);
        String alphabet = "0123456789abcdefABCDEF=,;: .tv\u0000é７\uD83D\"{}";
        for (int i = random.nextInt(4); i >= 0; i--) {
            char strange = alphabet.charAt(random.nextInt(alphabet.length()));
            int at = text.isEmpty() ? 0 : random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> text.insert(at, strange);
                case 1 -> text.setLength(at);
                case 2 -> text.append(text.substring(at)).append(strange);
                default -> {
                    if (!text.isEmpty()) {
                        text.setCharAt(at, strange);
                    }
                }
            }
        }
        return text.toString();
    }

    private static Request with(Request request, String name, String value) {
        Map<String, String> headers = new HashMap<>(request.headers());
        if (value == null) {
            headers.remove(name.toLowerCase(Locale.ROOT));
        } else {
            headers.put(name.toLowerCase(Locale.ROOT), value);
        }
        return new Request(request.method(), request.url(), headers, request.query(), request.body(), request.at());
    }

    private interface Check {
        void of(Way way);
    }

    private static Stream<DynamicTest> each(Check check) {
        return ways().map(way -> DynamicTest.dynamicTest(way.toString(), () -> check.of(way)));
    }

    private static Stream<String> types() {
        return Schemes.shipped().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("types")
    void everyRowOfTheTableCanBeRead(String type) {
        SchemeEntry scheme = Schemes.shipped().get(type);

        assertThat(scheme.title()).isNotBlank();
        assertThat(scheme.docs()).startsWith("https://");
        assertThat(List.of(scheme.isToken(), scheme.isProgram(), scheme.signature() != null))
                .containsOnlyOnce(true);
        if (scheme.isToken()) {
            assertThat(scheme.tokenScheme().places()).isNotEmpty();
        } else if (!scheme.isProgram()) {
            assertThat(scheme.scheme()).isNotNull();
        }
    }

    @Test
    void secretThatIsNoKeyIsAProblemAtStart() {
        for (String type : List.of("discord", "sendgrid", "standard-webhooks")) {
            assertThatExceptionOfType(InvalidAdapters.class)
                    .isThrownBy(() -> verifier(type, "", "no key at all"))
                    .withMessageContaining("the secret is no ")
                    .satisfies(invalid -> assertThat(invalid.getMessage()).doesNotContain("no key at all"));
        }
    }
}
