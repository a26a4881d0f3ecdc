package adapters;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import model.TrustMode;
import verify.ClosedVerifier;
import verify.JwtVerifier;
import verify.Selection;

/** {@code type: jwt} and {@code type: google-pubsub}: senders that bear a JWT of an issuer. */
record JwtEntry(
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

        String issuer,
        String jwks,

        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<String> audience,

        String email,

        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<String> eventType,

        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<String> id)
        implements AdapterEntry {

    private SchemeEntry scheme() {
        return Schemes.shipped().get(type);
    }

    @Override
    public void check(Complaints complaints) {
        complaints.secrets("secret", secret);
        if (issuer == null && scheme().issuer() == null) {
            complaints.say("issuer", "is missing: who makes the tokens, as https://accounts.example.com");
        }
        if (jwks != null && !jwks.startsWith("https://")) {
            complaints.say("jwks", "is no https:// address");
        }
        complaints.fitting(() -> selection(eventType, scheme().eventType()));
        complaints.fitting(() -> selection(id, scheme().id()));
    }

    private static Selection selection(List<String> written, List<String> otherwise) {
        List<String> choices = written == null ? otherwise : written;
        return choices == null ? Selection.NONE : Selection.of(choices);
    }

    @Override
    public Gate gate(References references) {
        String address = jwks == null ? scheme().jwks() : jwks;
        SecretEntry.Resolved pinned = SecretEntry.resolve("secret", secret, references);
        if (pinned.offReason() != null && !(address != null && secret == null)) {
            return new Gate(
                    new ClosedVerifier(name, TrustMode.TOKEN),
                    pinned.offReason() + " (the issuer's keys), and no jwks:");
        }
        return new Gate(
                new JwtVerifier(
                        name,
                        new JwtVerifier.Expected(
                                issuer == null ? String.valueOf(scheme().issuer()) : issuer,
                                audience == null ? Set.of() : new HashSet<>(audience),
                                Optional.ofNullable(email)),
                        pinned.secrets(),
                        secret == null
                                ? Optional.of(new JwtVerifier.Fetching(references.documents(), URI.create(address)))
                                : Optional.empty(),
                        selection(eventType, scheme().eventType()),
                        selection(id, scheme().id())),
                null);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return type + " " + name;
    }
}
