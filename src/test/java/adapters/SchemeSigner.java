package adapters;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import verify.Request;

/** Signs as the table of schemes says, with code of its own: what a provider would do. */
final class SchemeSigner {
    static final String URL = "https://hooks.example.com/webhooks/it";

    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern TOKEN = Pattern.compile("\\{([^{}]*)}");

    private final SchemeEntry scheme;
    private final boolean asymmetric;
    private final byte[] key;
    private final KeyPair pair;

    /** @param asymmetric whether to use the scheme's second way to sign */
    SchemeSigner(SchemeEntry scheme, boolean asymmetric, int number) {
        this.scheme = scheme;
        this.asymmetric = asymmetric;
        this.key = "key-%d-of-the-provider-is-long".formatted(number).getBytes(StandardCharsets.UTF_8);
        this.pair = algorithm().startsWith("hmac") ? null : pair();
    }

    private String algorithm() {
        String algorithm = asymmetric ? scheme.asymmetric().algorithm() : scheme.algorithm();
        return algorithm == null ? "hmac-sha256" : algorithm;
    }

    private String orScheme(String second, String first) {
        return asymmetric && second != null ? second : first;
    }

    private KeyPair pair() {
        try {
            switch (algorithm()) {
                case "ed25519" -> {
                    return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
                }
                case "ecdsa-p256" -> {
                    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                    generator.initialize(new ECGenParameterSpec("secp256r1"));
                    return generator.generateKeyPair();
                }
                default -> {
                    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
                    generator.initialize(2048);
                    return generator.generateKeyPair();
                }
            }
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** What an integrator puts into {@code secret:}. */
    String secret() {
        String form = orScheme(asymmetric ? scheme.asymmetric().key() : null, scheme.key());
        String prefix = asymmetric ? scheme.asymmetric().keyPrefix() : scheme.keyPrefix();
        byte[] bytes = pair == null ? key : pair.getPublic().getEncoded();
        if (pair != null && algorithm().equals("ed25519")) {
            bytes = Arrays.copyOfRange(bytes, bytes.length - 32, bytes.length);
        }
        String text = switch (form == null ? "text" : form) {
            case "text" -> new String(key, StandardCharsets.UTF_8);
            case "hex" -> HexFormat.of().formatHex(bytes);
            case "base64" -> Base64.getEncoder().encodeToString(bytes);
            default ->
                "-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder().encodeToString(bytes)
                        + "\n-----END PUBLIC KEY-----\n";
        };
        return (prefix == null ? "" : prefix) + text;
    }

    /** A body that holds what the scheme looks for in bodies. */
    byte[] body(Instant at) {
        ObjectNode body = JSON.createObjectNode().put("title", "grüße 🚀");
        for (String place : places()) {
            if (place.startsWith("body:")) {
                String value = place.equals(scheme.timestamp()) ? stamp(at) : "value of " + place;
                put(body, place.substring("body:".length()), value);
            }
        }
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }

    private List<String> places() {
        List<String> places = new ArrayList<>();
        Matcher token = TOKEN.matcher(template());
        while (token.find()) {
            places.add(token.group(1));
        }
        if (scheme.timestamp() != null) {
            places.add(scheme.timestamp());
        }
        for (List<String> selection : Arrays.asList(scheme.eventType(), scheme.id())) {
            if (selection != null) {
                places.addAll(List.of(selection.get(0).split(" \\+ ")));
            }
        }
        return places;
    }

    private static void put(ObjectNode body, String pointer, String value) {
        ObjectNode at = body;
        JsonPointer rest = JsonPointer.compile(pointer);
        while (!rest.tail().matches()) {
            String name = rest.getMatchingProperty();
            at = at.has(name) ? (ObjectNode) at.get(name) : at.putObject(name);
            rest = rest.tail();
        }
        at.put(rest.getMatchingProperty(), value);
    }

    private String template() {
        return scheme.signed() == null ? "{body}" : scheme.signed();
    }

    String stamp(Instant at) {
        return switch (scheme.timestampUnit() == null ? "s" : scheme.timestampUnit()) {
            case "s" -> Long.toString(at.getEpochSecond());
            case "ms" -> Long.toString(at.toEpochMilli());
            default -> at.toString();
        };
    }

    boolean isBodySigned() {
        return template().contains("{body}");
    }

    /** Whether any bytes can be a body: nothing in the body says what it is. */
    boolean takesAnyBody() {
        return places().stream().noneMatch(place -> place.startsWith("body:") || place.startsWith("form:"))
                && !scheme.signature().startsWith("body:")
                && isBodySigned();
    }

    /** The request as the provider sends it, signed at that time; it arrives at the other. */
    Request request(byte[] body, Instant signedAt, Instant arrives) {
        return request(body, body, signedAt, arrives, "");
    }

    /**
     * @param sent the body that arrives, where it is another
     * @param before text in front of the signature, in its place
     */
    Request request(byte[] body, byte[] sent, Instant signedAt, Instant arrives, String before) {
        Map<String, String> headers = new TreeMap<>();
        Map<String, String> query = new LinkedHashMap<>();
        headers.put("content-type", "application/json");
        for (String place : places()) {
            if (place.startsWith("header:")) {
                headers.put(
                        place.substring("header:".length()).toLowerCase(java.util.Locale.ROOT),
                        place.equals(scheme.timestamp()) ? stamp(signedAt) : "value of " + place);
            }
        }
        String url = URL;
        if (scheme.bodyDigest() != null) {
            String digest = HexFormat.of().formatHex(sha256(body));
            query.put(scheme.bodyDigest().substring("query:".length()), digest);
            url += "?" + scheme.bodyDigest().substring("query:".length()) + "=" + digest;
        }
        String separator = scheme.separator() == null ? "," : scheme.separator();
        String stamped = scheme.timestamp() != null && scheme.timestamp().startsWith("part:")
                ? scheme.timestamp().substring("part:".length()) + stamp(signedAt) + separator
                : "";
        String signature = before + stamped + signature(body, headers, url, signedAt);
        byte[] arriving = sent;
        if (scheme.signature().startsWith("header:")) {
            headers.put(scheme.signature().substring("header:".length()).toLowerCase(java.util.Locale.ROOT), signature);
        } else {
            arriving = with(sent, scheme.signature().substring("body:".length()), signature);
        }
        return new Request("POST", url, headers, query::get, arriving, arrives);
    }

    private static byte[] with(byte[] body, String pointer, String signature) {
        try {
            ObjectNode json = (ObjectNode) JSON.readTree(body);
            put(json, pointer, signature);
            return JSON.writeValueAsBytes(json);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String signature(byte[] body, Map<String, String> headers, String url, Instant at) {
        byte[] bytes = sign(signed(body, headers, url, at));
        String encoding = orScheme(asymmetric ? scheme.asymmetric().encoding() : null, scheme.encoding());
        String prefix = orScheme(asymmetric ? scheme.asymmetric().prefix() : null, scheme.prefix());
        return (prefix == null ? "" : prefix)
                + switch (encoding == null ? "hex" : encoding) {
                    case "hex" -> HexFormat.of().formatHex(bytes);
                    case "base64" -> Base64.getEncoder().encodeToString(bytes);
                    default -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
                };
    }

    private byte[] signed(byte[] body, Map<String, String> headers, String url, Instant at) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Matcher token = TOKEN.matcher(template());
        int from = 0;
        while (token.find()) {
            out.writeBytes(template().substring(from, token.start()).getBytes(StandardCharsets.UTF_8));
            String name = token.group(1);
            out.writeBytes(
                    switch (name) {
                        case "body" -> body;
                        case "timestamp" -> stamp(at).getBytes(StandardCharsets.UTF_8);
                        case "method" -> "POST".getBytes(StandardCharsets.UTF_8);
                        case "url" -> url.getBytes(StandardCharsets.UTF_8);
                        case "decoded_url" ->
                            URLDecoder.decode(url, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
                        case "sorted_form" -> new byte[0];
                        default ->
                            name.startsWith("header:")
                                    ? headers.get(name.substring(7).toLowerCase(java.util.Locale.ROOT))
                                            .getBytes(StandardCharsets.UTF_8)
                                    : text(body, name.substring("body:".length()));
                    });
            from = token.end();
        }
        out.writeBytes(template().substring(from).getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    private static byte[] text(byte[] body, String pointer) {
        try {
            return JSON.readTree(body).at(pointer).asText().getBytes(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private byte[] sign(byte[] bytes) {
        try {
            if (pair == null) {
                String name = "Hmac" + algorithm().substring("hmac-".length()).toUpperCase(java.util.Locale.ROOT);
                Mac mac = Mac.getInstance(name);
                mac.init(new SecretKeySpec(key, name));
                return mac.doFinal(bytes);
            }
            Signature signer = Signature.getInstance(
                    switch (algorithm()) {
                        case "ed25519" -> "Ed25519";
                        case "ecdsa-p256" -> "SHA256withECDSA";
                        default -> "SHA256withRSA";
                    });
            signer.initSign(pair.getPrivate());
            signer.update(bytes);
            return signer.sign();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
