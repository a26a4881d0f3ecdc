package adapters;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import model.TrustMode;
import verify.Certificates;
import verify.ClosedVerifier;
import verify.Documents;
import verify.Handshake;
import verify.SnsVerifier;

/** {@code type: sns}: Amazon SNS, whose certificate is pinned in {@code secret:} or fetched. */
record SnsEntry(
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

        Boolean fetch,
        List<String> topicArns,
        Boolean confirmSubscriptions,
        String tolerance)
        implements AdapterEntry {

    /** SNS sends a message again for an hour, with the time that it was first sent. */
    private static final String DEFAULT_TOLERANCE = "75m";

    @Override
    public void check(Complaints complaints) {
        complaints.secrets("secret", secret);
    }

    @Override
    public Gate gate(References references) {
        SecretEntry.Resolved pinned = SecretEntry.resolve("secret", secret, references);
        boolean fetches = Boolean.TRUE.equals(fetch);
        if (pinned.offReason() != null && !(fetches && secret == null)) {
            return new Gate(
                    new ClosedVerifier(name, TrustMode.SIGNED),
                    pinned.offReason() + " (a certificate), and no fetch: true");
        }
        Documents documents = references.documents();
        SnsVerifier verifier = new SnsVerifier(
                name,
                new Certificates(
                        pinned.secrets(),
                        fetches
                                ? Optional.of(new Certificates.Fetching(
                                        documents, SnsVerifier.HOST, SnsVerifier.CERTIFICATE_PATH))
                                : Optional.empty()),
                topicArns == null ? Set.of() : new HashSet<>(topicArns),
                SchemeEntry.tolerance(tolerance == null ? DEFAULT_TOLERANCE : tolerance));
        return new Gate(
                verifier,
                Boolean.TRUE.equals(confirmSubscriptions) ? verifier.confirming(documents) : Handshake.NONE,
                null);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return type + " " + name;
    }
}
