package verify;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import model.Refusal;
import model.TrustMode;

/**
 * Messages of Amazon SNS over HTTP. What is signed is not the body but some of its fields, in an order of their own
 * (docs.aws.amazon.com, "Verifying the signatures of Amazon SNS messages"), so a field that is not among them can be anybody's.
 */
public final class SnsVerifier implements Verifier {

    /** The only hosts whose certificates are believed, and whose subscriptions are confirmed. */
    public static final Pattern HOST = Pattern.compile("sns\\.[a-z0-9-]{3,30}\\.amazonaws\\.com(\\.cn)?");

    /** Where certificates stand there. */
    public static final Pattern CERTIFICATE_PATH =
            Pattern.compile("/SimpleNotificationService-[A-Za-z0-9]{1,100}\\.pem");

    static final String CONFIRMATION = "SubscriptionConfirmation";

    private static final Pattern ANY_PATH = Pattern.compile("/?");
    private static final List<String> OF_NOTIFICATIONS =
            List.of("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type");
    private static final List<String> OF_CONFIRMATIONS =
            List.of("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type");

    /** Beside what is signed, and of no weight. */
    private static final Set<String> OF_THE_ENVELOPE =
            Set.of("Signature", "SignatureVersion", "SigningCertURL", "UnsubscribeURL");

    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            // one reader takes the first of two equal names, another the last
            .enable(com.fasterxml.jackson.core.StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final String adapter;
    private final Certificates certificates;
    private final Set<String> topics;
    private final Duration tolerance;

    /**
     * @param topics the ARNs that may send; empty: any
     * @param tolerance how far the time of a message may lie from the hub's; zero: however far. SNS sends a message again
     *     for an hour, with the same time
     */
    public SnsVerifier(String adapter, Certificates certificates, Set<String> topics, Duration tolerance) {
        this.adapter = adapter;
        this.certificates = certificates;
        this.topics = Set.copyOf(topics);
        this.tolerance = tolerance;
    }

    @Override
    public TrustMode trustMode() {
        return TrustMode.SIGNED;
    }

    @Override
    public Verified verify(Request request) {
        Map<String, String> message = message(request.body())
                .orElseThrow(() -> refusal(
                        Refusal.Code.SIGNATURE_MALFORMED,
                        "the body is no message of SNS: one JSON object, no name twice"));
        String type = message.get("Type");
        List<String> signed = signedFields(type);
        if (signed.isEmpty()) {
            throw refusal(Refusal.Code.SIGNATURE_MALFORMED, "the body's Type is none of SNS");
        }
        for (String field : signed) {
            if (message.get(field) == null && !field.equals("Subject")) {
                throw refusal(Refusal.Code.SIGNATURE_MISSING, "the body has no " + field + ", which is signed");
            }
        }
        checkSignature(message, signed, request.at());
        if (!topics.isEmpty() && !topics.contains(message.get("TopicArn"))) {
            throw refusal(Refusal.Code.SIGNATURE_MISMATCH, "the topic is none of topic_arns");
        }
        checkTime(message.get("Timestamp"), request.at());
        Set<String> unsigned = new TreeSet<>(message.keySet());
        signed.forEach(unsigned::remove);
        unsigned.removeAll(OF_THE_ENVELOPE);
        return new Verified(
                unsigned.isEmpty(),
                "Signature of SNS, version " + message.get("SignatureVersion") + ", topic " + message.get("TopicArn")
                        + (unsigned.isEmpty() ? "" : "; not signed: " + String.join(", ", unsigned)),
                type,
                message.get("MessageId"),
                null,
                null);
    }

    private static List<String> signedFields(String type) {
        if (type == null) {
            return List.of();
        }
        return switch (type) {
            case "Notification" -> OF_NOTIFICATIONS;
            case CONFIRMATION, "UnsubscribeConfirmation" -> OF_CONFIRMATIONS;
            default -> List.of();
        };
    }

    private void checkSignature(Map<String, String> message, List<String> signed, Instant at) {
        String written = message.get("Signature");
        String address = message.get("SigningCertURL");
        if (written == null || address == null) {
            throw refusal(Refusal.Code.SIGNATURE_MISSING, "the body has no Signature or no SigningCertURL");
        }
        String algorithm = switch (String.valueOf(message.get("SignatureVersion"))) {
            case "1" -> "SHA1withRSA";
            case "2" -> "SHA256withRSA";
            default -> throw refusal(Refusal.Code.SIGNATURE_MALFORMED, "the SignatureVersion is not 1 or 2");
        };
        byte[] signature = Encoding.BASE64
                .decode(written)
                .orElseThrow(() -> refusal(Refusal.Code.SIGNATURE_MALFORMED, "the Signature is no base64"));
        StringBuilder text = new StringBuilder();
        for (String field : signed) {
            if (message.get(field) != null) {
                text.append(field).append('\n').append(message.get(field)).append('\n');
            }
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        boolean matches = false;
        for (var certificate : certificates.at(address, at)) {
            matches |= Certificates.signed(certificate, algorithm, bytes, signature);
        }
        if (!matches) {
            throw refusal(
                    Refusal.Code.SIGNATURE_MISMATCH,
                    "the Signature is not made with a certificate of SNS that is trusted here");
        }
    }

    private void checkTime(String timestamp, Instant at) {
        Instant sent = TimeForm.RFC3339
                .read(timestamp)
                .orElseThrow(() -> refusal(Refusal.Code.SIGNATURE_MALFORMED, "the Timestamp is no time"));
        if (!tolerance.isZero() && Duration.between(sent, at).abs().compareTo(tolerance) > 0) {
            throw refusal(
                    Refusal.Code.SIGNATURE_EXPIRED,
                    "was sent more than the tolerance of " + tolerance.toSeconds() + " s ago or ahead");
        }
    }

    /** Text by name; what is no text is there under its name with a text that nothing signs. Empty for what is no object. */
    private static Optional<Map<String, String>> message(byte[] body) {
        try (JsonParser parser = JSON.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            Map<String, String> message = new LinkedHashMap<>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                boolean text = value == JsonToken.VALUE_STRING;
                if (!text && (OF_NOTIFICATIONS.contains(name) || OF_CONFIRMATIONS.contains(name))) {
                    return Optional.empty();
                }
                message.put(name, text ? parser.getText() : null);
                parser.skipChildren();
            }
            return parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null
                    ? Optional.of(message)
                    : Optional.empty();
        } catch (IOException noJson) {
            return Optional.empty();
        }
    }

    /** Confirms a subscription when it is asked to, by calling the address that SNS signed. */
    public Handshake confirming(Documents documents) {
        return new Handshake() {
            @Override
            public Optional<Answer> signed(Request request) {
                Map<String, String> message = message(request.body()).orElseThrow();
                if (!CONFIRMATION.equals(message.get("Type"))) {
                    return Optional.empty();
                }
                URI address = Certificates.trusted(message.get("SubscribeURL"), HOST, ANY_PATH)
                        .orElseThrow(() ->
                                refusal(Refusal.Code.SIGNATURE_MALFORMED, "the SubscribeURL is no address of SNS"));
                documents.at(address, Duration.ZERO);
                return Optional.of(Answer.empty(200));
            }
        };
    }

    private Refusal refusal(Refusal.Code code, String rule) {
        return new Refusal(code, "%s: %s (%s)".formatted(adapter, rule, code.word()));
    }
}
