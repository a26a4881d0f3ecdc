package verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.JWKGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import fixtures.SigningCertificate;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.zip.CRC32;
import model.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The schemes that are programs: Amazon SNS, PayPal, JSON Web Tokens. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProgramsTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Instant NOW = Instant.parse("2026-02-03T04:05:06Z");
    private static final String SNS_CERTIFICATE =
            "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem";
    private static final String PAYPAL_CERTIFICATE = "https://api.paypal.com/v1/notifications/certs/CERT-360caa42";

    private final SigningCertificate aws = SigningCertificate.of("CN=sns.amazonaws.com");
    private final SigningCertificate paypal = SigningCertificate.of("CN=messageverificationcerts.paypal.com, O=PayPal");
    private final SigningCertificate stranger = SigningCertificate.of("CN=messageverificationcerts.paypal.com");

    private static void assertRefused(Verifier verifier, Request request, Refusal.Code... codes) {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> verifier.verify(request))
                .satisfies(refusal -> assertThat(refusal.code()).isIn((Object[]) codes));
    }

    private static Request request(byte[] body, Map<String, String> headers) {
        return new Request("POST", "https://hub/webhooks/it", new HashMap<>(headers), name -> null, body, NOW);
    }

    // --- Amazon SNS

    private Verifier sns(Documents documents) {
        return new SnsVerifier(
                "sns",
                new Certificates(
                        List.of(),
                        Optional.of(
                                new Certificates.Fetching(documents, SnsVerifier.HOST, SnsVerifier.CERTIFICATE_PATH))),
                Set.of("arn:aws:sns:eu-west-1:1:orders"),
                Duration.ofMinutes(75));
    }

    private ObjectNode notification() {
        return JSON.createObjectNode()
                .put("Type", "Notification")
                .put("MessageId", "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324")
                .put("TopicArn", "arn:aws:sns:eu-west-1:1:orders")
                .put("Subject", "Grüße")
                .put("Message", "{\"order\": 7}\nsecond line")
                .put("Timestamp", NOW.toString())
                .put("SignatureVersion", "2")
                .put("SigningCertURL", SNS_CERTIFICATE)
                .put("UnsubscribeURL", "https://sns.eu-west-1.amazonaws.com/?Action=Unsubscribe");
    }

    private ObjectNode confirmation() {
        ObjectNode message =
                notification().put("Type", "SubscriptionConfirmation").put("Token", "2336412f");
        message.remove("Subject");
        return message.put(
                "SubscribeURL", "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f");
    }

    private Request signed(ObjectNode message, SigningCertificate by) {
        List<String> fields = message.path("Type").asText().equals("Notification")
                ? List.of("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type")
                : List.of("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type");
        StringBuilder text = new StringBuilder();
        for (String field : fields) {
            if (message.has(field)) {
                text.append(field)
                        .append("\n")
                        .append(message.path(field).asText())
                        .append("\n");
            }
        }
        String algorithm = message.path("SignatureVersion").asText().equals("1") ? "SHA1withRSA" : "SHA256withRSA";
        message.put("Signature", Base64.getEncoder().encodeToString(by.sign(algorithm, utf8(text.toString()))));
        return request(utf8(message.toString()), Map.of());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void notificationsOfBothVersionsAreLetIn() {
        for (String version : List.of("1", "2")) {
            Verified verified = sns((address, maxAge) -> aws.pem())
                    .verify(signed(notification().put("SignatureVersion", version), aws));

            assertThat(verified.verified()).isTrue();
            assertThat(verified.eventType()).isEqualTo("Notification");
            assertThat(verified.externalId()).isEqualTo("22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"})
    void everyFieldThatIsSignedIsChecked(String field) throws Exception {
        byte[] body = signed(notification(), aws).body();
        ObjectNode tampered = (ObjectNode) JSON.readTree(body);
        tampered.put(field, field.equals("Timestamp") ? NOW.plusSeconds(1).toString() : "other");
        ObjectNode without = (ObjectNode) JSON.readTree(body);
        without.remove(field);

        for (ObjectNode message : List.of(tampered, without)) {
            assertRefused(
                    sns((address, maxAge) -> aws.pem()),
                    request(utf8(message.toString()), Map.of()),
                    Refusal.Code.SIGNATURE_MISMATCH,
                    Refusal.Code.SIGNATURE_MISSING,
                    Refusal.Code.SIGNATURE_MALFORMED);
        }
    }

    @Test
    void whatIsNotSignedMakesNothingVerified() {
        ObjectNode message = notification();
        message.putObject("MessageAttributes").putObject("role").put("Value", "admin");

        Verified verified = sns((address, maxAge) -> aws.pem()).verify(signed(message, aws));

        assertThat(verified.verified()).isFalse();
        assertThat(verified.detail()).endsWith("not signed: MessageAttributes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem",
                "https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-1.pem",
                "https://sns.eu-west-1.amazonaws.com@evil.example/SimpleNotificationService-1.pem",
                "https://evil.example/sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem",
                "https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-1.pem",
                "https://sns.eu-west-1.amazonaws.com/x/../SimpleNotificationService-1.pem",
                "https://s3.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem",
                "https://sns.eu-west-1.amazonaws.com/bucket/evil.pem",
                "file:///SimpleNotificationService-1.pem",
                "nonsense ://"
            })
    void certificatesOfStrangersAreNotEvenFetched(String address) {
        List<URI> fetched = new ArrayList<>();
        Documents documents = (uri, maxAge) -> {
            fetched.add(uri);
            return stranger.pem();
        };

        assertRefused(
                sns(documents),
                signed(notification().put("SigningCertURL", address), stranger),
                Refusal.Code.SIGNATURE_MISMATCH);
        assertThat(fetched).isEmpty();
    }

    @Test
    void otherTopicsOldMessagesAndOtherKeysAreRefused() {
        Documents documents = (address, maxAge) -> aws.pem();

        assertRefused(
                sns(documents),
                signed(notification().put("TopicArn", "arn:other"), aws),
                Refusal.Code.SIGNATURE_MISMATCH);
        assertRefused(
                sns(documents),
                signed(notification().put("Timestamp", NOW.minusSeconds(4_600).toString()), aws),
                Refusal.Code.SIGNATURE_EXPIRED);
        assertRefused(sns(documents), signed(notification(), stranger), Refusal.Code.SIGNATURE_MISMATCH);
        assertRefused(
                sns(documents),
                request(utf8("{\"Type\":\"Notification\",\"Type\":\"Notification\"}"), Map.of()),
                Refusal.Code.SIGNATURE_MALFORMED);
        assertRefused(sns(Documents.NONE), signed(notification(), aws), Refusal.Code.KEYS_UNAVAILABLE);
    }

    @Test
    void subscriptionIsConfirmedAtTheAddressThatWasSigned() {
        List<URI> called = new ArrayList<>();
        SnsVerifier verifier = (SnsVerifier) sns((address, maxAge) -> aws.pem());
        Handshake handshake = verifier.confirming((address, maxAge) -> {
            called.add(address);
            return new byte[0];
        });
        Request question = signed(confirmation(), aws);

        verifier.verify(question);

        assertThat(handshake.signed(question).orElseThrow().status()).isEqualTo(200);
        assertThat(called)
                .containsExactly(
                        URI.create("https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f"));
        assertThat(handshake.signed(signed(notification(), aws))).isEmpty();
        Request elsewhere = signed(confirmation().put("SubscribeURL", "https://evil.example/"), aws);
        assertThatExceptionOfType(Refusal.class).isThrownBy(() -> handshake.signed(elsewhere));
    }

    // --- PayPal

    private Verifier paypal(SigningCertificate pinned) {
        return new PaypalVerifier(
                "paypal",
                new Certificates(
                        pinned == null
                                ? List.of()
                                : List.of(Secret.of(new String(pinned.pem(), StandardCharsets.UTF_8))),
                        Optional.of(new Certificates.Fetching(
                                (address, maxAge) -> paypal.pem(),
                                PaypalVerifier.HOST,
                                PaypalVerifier.CERTIFICATE_PATH))),
                "WH-1",
                Duration.ofDays(4));
    }

    private Map<String, String> paypalHeaders(byte[] body, SigningCertificate by, Instant sent, String webhook) {
        CRC32 crc = new CRC32();
        crc.update(body);
        String signed = "t-1|" + sent + "|" + webhook + "|" + crc.getValue();
        return Map.of(
                "paypal-transmission-id",
                "t-1",
                "paypal-transmission-time",
                sent.toString(),
                "paypal-cert-url",
                PAYPAL_CERTIFICATE,
                "paypal-auth-algo",
                "SHA256withRSA",
                "paypal-transmission-sig",
                Base64.getEncoder().encodeToString(by.sign("SHA256withRSA", utf8(signed))));
    }

    @Test
    void paypalVouchesForItselfAndNotForTheBytes() {
        byte[] body = utf8("{\"id\":\"WH-77\",\"event_type\":\"PAYMENT.SALE.COMPLETED\"}");
        Request request = request(body, paypalHeaders(body, paypal, NOW, "WH-1"));

        for (Verifier verifier : List.of(paypal(null), paypal(paypal))) {
            Verified verified = verifier.verify(request);

            assertThat(verified.verified()).isFalse();
            assertThat(verified.detail()).contains("CRC-32");
            assertThat(verified.eventType()).isEqualTo("PAYMENT.SALE.COMPLETED");
            assertThat(verified.externalId()).isEqualTo("t-1");
        }
    }

    @Test
    void paypalsForgersAreRefused() {
        byte[] body = utf8("{\"event_type\":\"X\"}");

        assertRefused(
                paypal(null),
                request(utf8("{\"event_type\":\"Y\"}"), paypalHeaders(body, paypal, NOW, "WH-1")),
                Refusal.Code.SIGNATURE_MISMATCH);
        assertRefused(
                paypal(null),
                request(body, paypalHeaders(body, stranger, NOW, "WH-1")),
                Refusal.Code.SIGNATURE_MISMATCH);
        assertRefused(
                paypal(aws), request(body, paypalHeaders(body, aws, NOW, "WH-1")), Refusal.Code.SIGNATURE_MISMATCH);
        assertRefused(
                paypal(null), request(body, paypalHeaders(body, paypal, NOW, "WH-2")), Refusal.Code.SIGNATURE_MISMATCH);
        assertRefused(
                paypal(null),
                request(body, paypalHeaders(body, paypal, NOW.minus(Duration.ofDays(5)), "WH-1")),
                Refusal.Code.SIGNATURE_EXPIRED);
        for (String header : paypalHeaders(body, paypal, NOW, "WH-1").keySet()) {
            Map<String, String> without = new HashMap<>(paypalHeaders(body, paypal, NOW, "WH-1"));
            without.remove(header);
            assertRefused(paypal(null), request(body, without), Refusal.Code.SIGNATURE_MISSING);
        }
    }

    // --- JSON Web Tokens

    private final RSAKey rsa = generated(new RSAKeyGenerator(2048).keyID("one"));
    private final RSAKey other = generated(new RSAKeyGenerator(2048).keyID("two"));

    private static RSAKey generated(JWKGenerator<RSAKey> generator) {
        try {
            return generator.generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private static JwtVerifier jwt(List<Secret> pinned, Documents documents) {
        return new JwtVerifier(
                "pubsub",
                new JwtVerifier.Expected(
                        "https://accounts.google.com",
                        Set.of("https://hub/webhooks/it"),
                        Optional.of("push@x.example")),
                pinned,
                pinned.isEmpty()
                        ? Optional.of(new JwtVerifier.Fetching(documents, URI.create("https://keys.example/certs")))
                        : Optional.empty(),
                Selection.of("body:/message/attributes/eventType"),
                Selection.of("body:/message/messageId"));
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer("https://accounts.google.com")
                .audience("https://hub/webhooks/it")
                .claim("email", "push@x.example")
                .claim("email_verified", true)
                .issueTime(Date.from(NOW))
                .expirationTime(Date.from(NOW.plusSeconds(3_600)));
    }

    private static String token(JWSAlgorithm algorithm, String kid, JWSSigner signer, JWTClaimsSet claims) {
        try {
            SignedJWT token =
                    new SignedJWT(new JWSHeader.Builder(algorithm).keyID(kid).build(), claims);
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private static Request bearing(String token) {
        return request(
                utf8("{\"message\":{\"messageId\":\"136969346945\",\"attributes\":{\"eventType\":\"made\"}}}"),
                Map.of("authorization", "Bearer " + token));
    }

    @Test
    void tokensOfTheIssuerAreLetInAndVerifyNoBytes() throws JOSEException {
        ECKey curve = new ECKeyGenerator(Curve.P_256).keyID("three").generate();
        byte[] set = utf8(new JWKSet(List.of(other.toPublicJWK(), rsa.toPublicJWK(), curve.toPublicJWK())).toString());
        JwtVerifier fetching = jwt(List.of(), (address, maxAge) -> set);
        JwtVerifier pinning = jwt(List.of(Secret.of(new String(set, StandardCharsets.UTF_8))), Documents.NONE);

        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(rsa.toRSAPublicKey().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
        String signed = token(JWSAlgorithm.RS256, "one", new RSASSASigner(rsa), claims().build());
        assertThat(jwt(List.of(Secret.of(pem)), Documents.NONE).verify(bearing(signed)))
                .isNotNull();
        for (JwtVerifier verifier : List.of(fetching, pinning)) {
            Verified verified =
                    verifier.verify(bearing(token(JWSAlgorithm.RS256, "one", new RSASSASigner(rsa), claims().build())));

            assertThat(verified.verified()).isFalse();
            assertThat(verified.externalId()).isEqualTo("136969346945");
            assertThat(verified.eventType()).isEqualTo("made");
            assertThat(verifier.verify(
                            bearing(token(JWSAlgorithm.ES256, "three", new ECDSASigner(curve), claims().build()))))
                    .isNotNull();
        }
    }

    @Test
    void keyThatIsNewIsFetched() throws JOSEException {
        List<Duration> asked = new ArrayList<>();
        JwtVerifier verifier = jwt(List.of(), (address, maxAge) -> {
            asked.add(maxAge);
            return utf8(new JWKSet(asked.size() == 1 ? other.toPublicJWK() : rsa.toPublicJWK()).toString());
        });

        verifier.verify(bearing(token(JWSAlgorithm.RS256, "one", new RSASSASigner(rsa), claims().build())));

        assertThat(asked).containsExactly(Duration.ofHours(1), Duration.ofMinutes(1));
    }

    @Test
    void tokensThatSayAnythingElseAreRefused() throws Exception {
        byte[] set = utf8(new JWKSet(rsa.toPublicJWK()).toString());
        JwtVerifier verifier = jwt(List.of(), (address, maxAge) -> set);
        JWSSigner signer = new RSASSASigner(rsa);
        List<JWTClaimsSet> wrong = List.of(
                claims().issuer("https://evil.example").build(),
                claims().audience("https://other").build(),
                claims().expirationTime(Date.from(NOW.minusSeconds(61))).build(),
                claims().expirationTime(null).build(),
                claims().notBeforeTime(Date.from(NOW.plusSeconds(120))).build(),
                claims().issueTime(Date.from(NOW.plusSeconds(120))).build(),
                claims().claim("email", "other@x.example").build(),
                claims().claim("email_verified", false).build());

        for (JWTClaimsSet claims : wrong) {
            assertRefused(
                    verifier, bearing(token(JWSAlgorithm.RS256, "one", signer, claims)), Refusal.Code.TOKEN_MISMATCH);
        }
        assertRefused(verifier, bearing(new PlainJWT(claims().build()).serialize()), Refusal.Code.TOKEN_MISMATCH);
        assertRefused(
                verifier,
                bearing(token(
                        JWSAlgorithm.HS256,
                        "one",
                        new MACSigner(rsa.toRSAPublicKey().getEncoded()),
                        claims().build())),
                Refusal.Code.TOKEN_MISMATCH);
        assertRefused(
                verifier,
                bearing(token(JWSAlgorithm.RS256, "one", new RSASSASigner(other), claims().build())),
                Refusal.Code.TOKEN_MISMATCH);
        assertRefused(verifier, request(new byte[0], Map.of()), Refusal.Code.TOKEN_MISSING);
        assertRefused(verifier, bearing("x".repeat(20_000)), Refusal.Code.TOKEN_MISMATCH);
    }

    @Test
    void keysThatAreNoneAreAProblemAtStart() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jwt(List.of(Secret.of("hush")), Documents.NONE))
                .withMessageContaining("holds no keys")
                .satisfies(unfit -> assertThat(unfit.getMessage()).doesNotContain("hush"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Certificates(List.of(Secret.of("hush")), Optional.empty()))
                .withMessage("holds no X.509 certificate in PEM");
    }

    /** Whatever stands in a body or a header: let in or refused, and never another failure. */
    @Test
    void nonsenseIsRefusedInWords() throws GeneralSecurityException, JOSEException {
        byte[] good = signed(notification(), aws).body();
        byte[] body = utf8("{\"event_type\":\"X\"}");
        byte[] set = utf8(new JWKSet(rsa.toPublicJWK()).toString());
        String token = token(JWSAlgorithm.RS256, "one", new RSASSASigner(rsa), claims().build());
        Verifier sns = sns((address, maxAge) -> aws.pem());
        Verifier jwt = jwt(List.of(), (address, maxAge) -> set);
        Verifier paypal = paypal(this.paypal);
        Map<String, String> sent = paypalHeaders(body, this.paypal, NOW, "WH-1");
        Random random = new Random(42);
        for (int round = 0; round < 1_000; round++) {
            tryOut(sns, request(mutated(good, random), Map.of()));
            Map<String, String> headers = new HashMap<>(sent);
            String header = List.copyOf(headers.keySet()).get(random.nextInt(headers.size()));
            headers.put(header, new String(mutated(utf8(headers.get(header)), random), StandardCharsets.ISO_8859_1));
            tryOut(paypal, request(body, headers));
            tryOut(jwt, bearing(new String(mutated(utf8(token), random), StandardCharsets.ISO_8859_1)));
        }
    }

    private static void tryOut(Verifier verifier, Request request) {
        try {
            verifier.verify(request);
        } catch (Refusal refusal) {
            assertThat(refusal.code().word()).matches("(signature|token)_.*");
        }
    }

    private static byte[] mutated(byte[] bytes, Random random) {
        byte[] mutated = bytes.clone();
        for (int i = random.nextInt(3); i >= 0; i--) {
            mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
        }
        return random.nextInt(5) == 0 ? java.util.Arrays.copyOf(mutated, random.nextInt(mutated.length)) : mutated;
    }
}
