package adapters;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.List;
import java.util.Optional;
import model.TrustMode;
import verify.Certificates;
import verify.ClosedVerifier;
import verify.PaypalVerifier;

/** {@code type: paypal}: PayPal, whose certificate is pinned in {@code secret:} or fetched. */
record PaypalEntry(
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

        String webhookId,
        Boolean fetch,
        String tolerance)
        implements AdapterEntry {

    /** PayPal sends a delivery again for three days, with the time that it was first sent. */
    private static final String DEFAULT_TOLERANCE = "5760m";

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
                    new ClosedVerifier(name, TrustMode.TOKEN),
                    pinned.offReason() + " (a certificate), and no fetch: true");
        }
        return new Gate(
                new PaypalVerifier(
                        name,
                        new Certificates(
                                pinned.secrets(),
                                fetches
                                        ? Optional.of(new Certificates.Fetching(
                                                references.documents(),
                                                PaypalVerifier.HOST,
                                                PaypalVerifier.CERTIFICATE_PATH))
                                        : Optional.empty()),
                        webhookId == null ? "" : webhookId,
                        SchemeEntry.tolerance(tolerance == null ? DEFAULT_TOLERANCE : tolerance)),
                null);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return type + " " + name;
    }
}
