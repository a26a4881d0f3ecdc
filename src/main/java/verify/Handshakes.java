package verify;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import model.Refusal;

/** The handshakes of the providers that have one, each as its documentation has it. */
public final class Handshakes {

    private static final String HMAC = "HmacSHA256";
    private static final int LONGEST_CHALLENGE = 2_048;

    private Handshakes() {}

    /** docs.slack.dev, "url_verification event" and "ssl_check": signed like a delivery. */
    public static Handshake slack() {
        return new Handshake() {
            @Override
            public Optional<Answer> signed(Request request) {
                Reading reading = new Reading(request, List.of());
                if (reading.form().containsKey("ssl_check")) {
                    return Optional.of(Answer.empty(200));
                }
                if (!is("url_verification", json(reading, "/type"))) {
                    return Optional.empty();
                }
                return Optional.of(
                        Answer.json("{\"challenge\":" + quoted(challenge(json(reading, "/challenge"))) + "}"));
            }
        };
    }

    /**
     * developers.zoom.us, "Validate your webhook endpoint": signed like a delivery; the answer is an HMAC of Zoom's token.
     */
    public static Handshake zoom(List<Secret> secrets) {
        return new Handshake() {
            @Override
            public Optional<Answer> signed(Request request) {
                Reading reading = new Reading(request, List.of());
                if (!is("endpoint.url_validation", json(reading, "/event"))) {
                    return Optional.empty();
                }
                String token = challenge(json(reading, "/payload/plainToken"));
                String encrypted = HexFormat.of().formatHex(hmac(live(secrets, request), token));
                return Optional.of(
                        Answer.json("{\"plainToken\":" + quoted(token) + ",\"encryptedToken\":\"" + encrypted + "\"}"));
            }
        };
    }

    /** developers.facebook.com, "Verification requests": unsigned, with a token that the integrator made up. */
    public static Handshake meta(String adapter, List<Secret> verifyTokens) {
        Verifier token = new TokenVerifier(
                adapter,
                new TokenScheme(List.of(TokenPlace.of("query:hub.verify_token")), Selection.NONE, Selection.NONE),
                verifyTokens);
        return new Handshake() {
            @Override
            public Optional<Answer> unsigned(Request request) {
                if (!is("subscribe", request.parameter("hub.mode"))) {
                    return Optional.empty();
                }
                token.verify(request);
                return Optional.of(Answer.text(challenge(request.parameter("hub.challenge"))));
            }
        };
    }

    /**
     * docs.x.com, "Challenge-Response Checks": unsigned, and the answer is an HMAC of whatever was asked, with the key that
     * signs deliveries. So that nobody has a delivery signed here, a question is never of the form of a delivery, and a
     * delivery never of the form of a question.
     */
    public static Handshake x(List<Secret> secrets) {
        Pattern question = Pattern.compile("[A-Za-z0-9+/=_.-]{1,256}");
        return new Handshake() {
            @Override
            public Optional<Answer> unsigned(Request request) {
                String token = request.parameter("crc_token");
                if (token == null || request.body().length > 0) {
                    return Optional.empty();
                }
                if (!question.matcher(token).matches()) {
                    throw malformed("crc_token has characters that no question has");
                }
                String response = Base64.getEncoder().encodeToString(hmac(live(secrets, request), token));
                return Optional.of(Answer.json("{\"response_token\":\"sha256=" + response + "\"}"));
            }

            @Override
            public Optional<Answer> signed(Request request) {
                if (question.matcher(new String(request.body(), StandardCharsets.ISO_8859_1))
                        .matches()) {
                    throw malformed("the body is a question and no delivery");
                }
                return Optional.empty();
            }
        };
    }

    /** docs.discord.com, "Interactions" and "Webhook Events": signed pings, which expect to be ponged. */
    public static Handshake discord() {
        return new Handshake() {
            @Override
            public Optional<Answer> signed(Request request) {
                Reading reading = new Reading(request, List.of());
                String type = json(reading, "/type");
                if (is("0", type)) {
                    return Optional.of(Answer.empty(204));
                }
                // 1 is an interaction's ping, and a webhook event when there is one
                boolean ping = is("1", type) && json(reading, "/event/type") == null;
                return ping ? Optional.of(Answer.json("{\"type\":1}")) : Optional.empty();
            }
        };
    }

    /** learn.microsoft.com, "Receive change notifications through webhooks": unsigned, the token comes back as it is. */
    public static Handshake msGraph() {
        return new Handshake() {
            @Override
            public Optional<Answer> unsigned(Request request) {
                String token = request.parameter("validationToken");
                return token == null ? Optional.empty() : Optional.of(Answer.text(challenge(token)));
            }
        };
    }

    private static boolean is(String word, String value) {
        return word.equals(value);
    }

    private static String json(Reading reading, String pointer) {
        return reading.json(JsonPointer.compile(pointer));
    }

    private static String challenge(String text) {
        if (text == null || text.length() > LONGEST_CHALLENGE || text.chars().anyMatch(Character::isISOControl)) {
            throw malformed("the challenge is missing, longer than " + LONGEST_CHALLENGE
                    + " characters or has control characters");
        }
        return text;
    }

    private static Refusal malformed(String rule) {
        return new Refusal(Refusal.Code.INVALID_REQUEST, rule + " (invalid_request)");
    }

    /** The newest of the adapter's secrets that still lives: the first in its list. */
    private static Secret live(List<Secret> secrets, Request request) {
        return secrets.stream()
                .filter(secret -> secret.isLive(request.at()))
                .findFirst()
                .orElseThrow(() -> new Refusal(
                        Refusal.Code.SIGNATURE_MISMATCH, "every secret of the adapter has ended (signature_mismatch)"));
    }

    private static byte[] hmac(Secret secret, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(secret.value().getBytes(StandardCharsets.UTF_8), HMAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }

    private static String quoted(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }
}
