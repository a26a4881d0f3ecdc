package verify;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import model.Refusal;
import model.TrustMode;

/** Lets in what carries a signature over the bytes as sent, made with the secret that only the provider shares. */
public final class SignatureVerifier implements Verifier {

    private final String adapter;
    private final Scheme scheme;
    private final List<SigningKey> keys;
    private final String detail;

    /**
     * @param adapter the adapter's name, for messages
     * @param secrets any of them will do as long as it lives; at least one
     * @throws IllegalArgumentException when a secret is not of the form that the scheme asks for; says why, never quotes it
     */
    public SignatureVerifier(String adapter, Scheme scheme, List<Secret> secrets) {
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException(adapter + ": without a secret nothing can be verified");
        }
        this.adapter = adapter;
        this.scheme = scheme;
        this.keys =
                secrets.stream().map(secret -> SigningKey.of(secret, scheme)).toList();
        this.detail = uncovered();
    }

    @Override
    public TrustMode trustMode() {
        return scheme.coversBody() ? TrustMode.SIGNED : TrustMode.TOKEN;
    }

    @Override
    public List<Secret> secrets() {
        return keys.stream().map(SigningKey::secret).toList();
    }

    @Override
    public Verified verify(Request request) {
        Reading reading = reading(request);
        String timestamp = timestamp(reading);
        Optional<Instant> signedAt = signedAt(reading, timestamp);
        List<SigningKey> live = live(request);
        Map<SigningKey, List<byte[]>> candidates = candidates(reading, live);
        List<byte[]> bytes = signedBytes(reading, timestamp);

        SigningKey match = null;
        byte[] matched = null;
        for (Map.Entry<SigningKey, List<byte[]>> candidate : candidates.entrySet()) {
            byte[] found = candidate.getKey().matching(bytes, candidate.getValue());
            if (found != null && match == null) {
                match = candidate.getKey();
                matched = found;
            }
        }
        if (match == null || !bodyIsTheDigested(reading)) {
            String rule = live.isEmpty()
                    ? "cannot match: every secret of the adapter has ended"
                    : "does not match " + (scheme.signed().coversBody() ? "the body" : "what it covers");
            throw refusal(Refusal.Code.SIGNATURE_MISMATCH, place() + " " + rule, request);
        }
        signedAt.ifPresent(at -> checkTime(at, request));
        return verified(reading, match, matched);
    }

    private Reading reading(Request request) {
        String written = scheme.signature().in(new Reading(request, List.of()));
        if (written == null) {
            throw refusal(Refusal.Code.SIGNATURE_MISSING, "has no " + place(), request);
        }
        return new Reading(request, parts(written));
    }

    private List<SigningKey> live(Request request) {
        return keys.stream().filter(key -> key.secret().isLive(request.at())).toList();
    }

    @Override
    public List<String> explain(Request request) {
        List<String> lines = new ArrayList<>();
        lines.add("scheme     " + place() + " over " + scheme.signed());
        for (SigningKey key : keys) {
            Scheme.Version version = key.version();
            String name = key.secret().shown();
            lines.add("secret     %s: %s, %s%s"
                    .formatted(
                            name.isEmpty() ? "without a name" : name,
                            version.algorithm().title(),
                            version.prefix().isEmpty()
                                    ? version.encoding().word()
                                    : version.prefix() + "<"
                                            + version.encoding().word() + ">",
                            key.secret().isLive(request.at()) ? "" : ", has ended"));
        }
        try {
            explain(reading(request), lines);
        } catch (Refusal refusal) {
            lines.add("stopped    " + refusal.getMessage());
        }
        return lines;
    }

    private void explain(Reading reading, List<String> lines) {
        for (String part : reading.signatureParts()) {
            lines.add("signature  " + Text.line(part, 24));
        }
        String timestamp = timestamp(reading);
        signedAt(reading, timestamp)
                .ifPresent(at -> lines.add("time       %s is %s, %d s from now"
                        .formatted(
                                Text.line(timestamp, 40),
                                at,
                                Duration.between(at, reading.request().at())
                                        .abs()
                                        .toSeconds())));
        List<byte[]> bytes = signedBytes(reading, timestamp);
        lines.add("signed     %d bytes, SHA-256 %s"
                .formatted(bytes.stream().mapToInt(piece -> piece.length).sum(), hash(bytes.toArray(byte[][]::new))));
        candidates(reading, live(reading.request()))
                .forEach((key, found) -> lines.add("compared   %s: %d well-formed signature(s), %s"
                        .formatted(
                                key.secret().shown().isEmpty()
                                        ? "the secret"
                                        : key.secret().shown(),
                                found.size(),
                                key.matching(bytes, found) == null ? "none matches" : "one matches")));
        scheme.bodyDigest()
                .ifPresent(part -> lines.add("digest     " + part.shown()
                        + (bodyIsTheDigested(reading) ? " is the body's" : " is not the body's")));
    }

    private Verified verified(Reading reading, SigningKey match, byte[] signature) {
        String secret = match.secret().shown();
        String replayKey = scheme.uniqueBodies() && !scheme.coversTime() ? hash(signature) : null;
        String identity = scheme.identity().in(reading);
        return new Verified(
                scheme.coversBody(),
                place() + " (" + match.version().algorithm().title() + ")" + (secret.isEmpty() ? "" : ", " + secret)
                        + detail,
                scheme.eventType().in(reading),
                identity == null && replayKey != null ? "signature:" + replayKey : identity,
                replayKey,
                match.secret().id());
    }

    private String uncovered() {
        List<String> uncovered = new ArrayList<>();
        if (!scheme.coversBody()) {
            uncovered.add("the body");
        }
        if (!scheme.coversEventType()) {
            uncovered.add("the event type");
        }
        if (!scheme.coversIdentity()) {
            uncovered.add("the delivery id");
        }
        return uncovered.isEmpty() ? "" : "; not signed: " + String.join(", ", uncovered);
    }

    private List<String> parts(String written) {
        List<String> parts = new ArrayList<>(2);
        int from = 0;
        while (parts.size() < Reading.MAX_PARTS && from <= written.length()) {
            int end = written.indexOf(scheme.separator(), from);
            String part =
                    written.substring(from, end < 0 ? written.length() : end).strip();
            parts.add(part);
            if (end < 0) {
                break;
            }
            from = end + scheme.separator().length();
        }
        return parts;
    }

    /** As sent; null where the scheme has no time. */
    private String timestamp(Reading reading) {
        if (scheme.stamp().isEmpty()) {
            return null;
        }
        RequestPart part = scheme.stamp().get().part();
        String timestamp = part.in(reading);
        if (timestamp == null) {
            throw refusal(Refusal.Code.SIGNATURE_MISSING, "has no " + part.shown(), reading.request());
        }
        return timestamp;
    }

    private Optional<Instant> signedAt(Reading reading, String timestamp) {
        return scheme.stamp()
                .map(stamp -> stamp.form()
                        .read(timestamp)
                        .orElseThrow(() -> refusal(
                                Refusal.Code.SIGNATURE_MALFORMED,
                                stamp.part().shown() + " is no time ("
                                        + stamp.form().name().toLowerCase(java.util.Locale.ROOT) + ")",
                                reading.request())));
    }

    private void checkTime(Instant signedAt, Request request) {
        Duration tolerance = scheme.stamp().orElseThrow().tolerance();
        Duration apart = Duration.between(signedAt, request.at()).abs();
        if (!tolerance.isZero() && apart.compareTo(tolerance) > 0) {
            throw refusal(
                    Refusal.Code.SIGNATURE_EXPIRED,
                    "was signed %d s %s, more than the tolerance of %d s"
                            .formatted(
                                    apart.toSeconds(),
                                    signedAt.isBefore(request.at()) ? "ago" : "ahead",
                                    tolerance.toSeconds()),
                    request);
        }
    }

    /** The well-formed signatures for each key; everything beside them is somebody else's. */
    private Map<SigningKey, List<byte[]>> candidates(Reading reading, List<SigningKey> live) {
        Map<SigningKey, List<byte[]>> candidates = new LinkedHashMap<>();
        for (SigningKey key : live) {
            List<byte[]> found = signatures(reading.signatureParts(), key.version());
            if (!found.isEmpty()) {
                candidates.put(key, found);
            }
        }
        if (candidates.isEmpty() && !live.isEmpty()) {
            Scheme.Version version = live.get(0).version();
            String form =
                    version.encoding() == Encoding.HEX && version.algorithm().signatureLength() > 0
                            ? 2 * version.algorithm().signatureLength() + " hex digits"
                            : version.encoding().word();
            throw refusal(
                    Refusal.Code.SIGNATURE_MALFORMED,
                    "%s holds no %s<%s>".formatted(place(), version.prefix(), form),
                    reading.request());
        }
        return candidates;
    }

    private static List<byte[]> signatures(List<String> parts, Scheme.Version version) {
        List<byte[]> found = new ArrayList<>(1);
        for (String part : parts) {
            if (!part.startsWith(version.prefix())
                    || part.length() == version.prefix().length()) {
                continue;
            }
            version.encoding()
                    .decode(part.substring(version.prefix().length()))
                    .filter(bytes -> version.algorithm().signatureLength() == 0
                            || bytes.length == version.algorithm().signatureLength())
                    .ifPresent(found::add);
        }
        return found;
    }

    private List<byte[]> signedBytes(Reading reading, String timestamp) {
        try {
            return scheme.signed().of(reading, timestamp);
        } catch (SignedBytes.Missing missing) {
            throw refusal(
                    Refusal.Code.SIGNATURE_MISSING,
                    "has no " + missing.getMessage() + ", which is signed",
                    reading.request());
        }
    }

    /** Where not the body but its digest is signed: whether it is this body's. A form is covered field by field. */
    private boolean bodyIsTheDigested(Reading reading) {
        if (scheme.bodyDigest().isEmpty() || !reading.form().isEmpty()) {
            return true;
        }
        String written = scheme.bodyDigest().get().in(reading);
        Optional<byte[]> digest = written == null ? Optional.empty() : Encoding.HEX.decode(written);
        // a body of no bytes has nothing to vouch for
        return digest.map(bytes ->
                        MessageDigest.isEqual(bytes, sha256(reading.request().body())))
                .orElse(reading.request().body().length == 0);
    }

    private String place() {
        return scheme.signature().shown();
    }

    private static String hash(byte[]... pieces) {
        return HexFormat.of().formatHex(sha256(pieces));
    }

    private static byte[] sha256(byte[]... pieces) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] piece : pieces) {
                digest.update(piece);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private Refusal refusal(Refusal.Code code, String rule, Request request) {
        // a stranger's body is not parsed to say who it claims to be
        boolean inHead = scheme.identity().allMatch(part -> !part.isOfBody());
        String identity = inHead ? Text.brief(scheme.identity().in(new Reading(request, List.of()))) : null;
        String delivery = identity == null ? "" : "delivery " + identity + ", ";
        return new Refusal(code, "%s: %s (%s%s)".formatted(adapter, rule, delivery, code.word()));
    }
}
