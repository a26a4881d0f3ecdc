package adapters;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import model.TrustMode;
import verify.ClosedVerifier;
import verify.Handshake;
import verify.Handshakes;
import verify.Scheme;
import verify.Secret;
import verify.SignatureVerifier;
import verify.TokenVerifier;
import verify.Verifier;

/** An adapter of a provider that {@code schemes.yaml} describes: {@code type: github} and its like. */
record ProviderEntry(
        String name,
        String type,
        String account,
        List<RuleEntry> todos,
        String maxBody,
        String ruleMaxBody,
        String dedup,
        String bodyTimeout,
        LimitsEntry limits,
        List<String> allow,
        RedactEntry redact,
        Boolean redactStored,

        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<SecretEntry> secret,

        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<SecretEntry> verifyToken,

        String verificationTokenFile,

        String tolerance,
        Boolean uniqueBodies)
        implements AdapterEntry {

    private static final String META = "meta";
    private static final String NOTION = "notion";

    SchemeEntry scheme() {
        return Schemes.shipped().get(type);
    }

    @Override
    public void check(Complaints complaints) {
        complaints.secrets("secret", secret);
        complaints.secrets("verify_token", verifyToken);
        SchemeEntry scheme = scheme();
        if (verifyToken != null && !META.equals(scheme.handshake())) {
            complaints.say("verify_token", "means nothing for type " + type + ", which asks with no such token");
        }
        if (verificationTokenFile != null) {
            checkTokenFile(complaints);
        }
        if (tolerance != null && !scheme.hasTime()) {
            complaints.say("tolerance", "means nothing for type " + type + ", which signs no time");
        }
        if (uniqueBodies != null && (scheme.hasTime() || scheme.isToken())) {
            complaints.say(
                    "unique_bodies",
                    "means nothing for type " + type
                            + (scheme.hasTime()
                                    ? ", whose signatures grow old by themselves"
                                    : ", which signs no body"));
        }
    }

    private void checkTokenFile(Complaints complaints) {
        String key = "verification_token_file";
        if (!NOTION.equals(scheme().handshake())) {
            complaints.say(key, "means nothing for type " + type + ", which sends no such token");
        } else if (!SecretEntry.isPath(verificationTokenFile)) {
            complaints.say(key, "is no path of a file");
        } else if (secret != null
                && secret.stream().anyMatch(one -> one != null && one.refersTo(verificationTokenFile))) {
            complaints.say(
                    key, "is the file of secret: too; a stranger could then choose what deliveries are verified with");
        }
    }

    @Override
    public Gate gate(References references) {
        SchemeEntry scheme = scheme();
        SecretEntry.Resolved secrets = SecretEntry.resolve("secret", secret, references);
        if (secrets.offReason() != null) {
            return new Gate(
                    new ClosedVerifier(name, scheme.isToken() ? TrustMode.TOKEN : TrustMode.SIGNED),
                    verificationTokenFile == null
                            ? Handshake.NONE
                            : new NotionHandshake(name, Path.of(verificationTokenFile)),
                    secrets.offReason());
        }
        Verifier verifier = scheme.isToken()
                ? new TokenVerifier(name, scheme.tokenScheme(), secrets.secrets())
                : new SignatureVerifier(name, adjusted(scheme.scheme()), secrets.secrets());
        return new Gate(verifier, handshake(secrets, references), null);
    }

    private Scheme adjusted(Scheme scheme) {
        Scheme adjusted = tolerance == null ? scheme : scheme.within(SchemeEntry.tolerance(tolerance));
        return uniqueBodies == null ? adjusted : adjusted.withUniqueBodies(uniqueBodies);
    }

    private Handshake handshake(SecretEntry.Resolved secrets, References references) {
        if (!META.equals(scheme().handshake())) {
            return handshake(scheme(), secrets.secrets());
        }
        SecretEntry.Resolved tokens = SecretEntry.resolve("verify_token", verifyToken, references);
        // without one nobody can subscribe, and deliveries are verified all the same
        return tokens.offReason() == null ? Handshakes.meta(name, tokens.secrets()) : Handshake.NONE;
    }

    /** What the provider asks before it delivers, where the secret is all that the answer needs. */
    static Handshake handshake(SchemeEntry scheme, List<Secret> secrets) {
        return switch (Optional.ofNullable(scheme.handshake()).orElse("")) {
            case "slack" -> Handshakes.slack();
            case "zoom" -> Handshakes.zoom(secrets);
            case "x" -> Handshakes.x(secrets);
            case "discord" -> Handshakes.discord();
            case "ms-graph" -> Handshakes.msGraph();
            default -> Handshake.NONE;
        };
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return type + " " + name;
    }
}
