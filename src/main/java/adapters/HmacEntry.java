package adapters;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.List;
import model.TrustMode;
import verify.ClosedVerifier;
import verify.SignatureVerifier;

/** {@code type: hmac}: a sender whose scheme is described in adapters.yaml, with the keys of {@code schemes.yaml}. */
record HmacEntry(
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

        String signature,
        String prefix,
        String separator,
        String algorithm,
        String encoding,
        String signed,
        String key,
        String keyPrefix,
        String timestamp,
        String timestampUnit,
        String tolerance,

        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<String> eventType,

        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<String> id,

        Boolean uniqueBodies)
        implements AdapterEntry {

    private SchemeEntry scheme() {
        return new SchemeEntry(
                null,
                null,
                null,
                signature,
                prefix,
                separator,
                algorithm,
                encoding,
                signed,
                key,
                keyPrefix,
                null,
                timestamp,
                timestampUnit,
                tolerance,
                null,
                null,
                null,
                null,
                null,
                eventType,
                id,
                uniqueBodies,
                null,
                null,
                null);
    }

    @Override
    public void check(Complaints complaints) {
        complaints.secrets("secret", secret);
        if (tolerance != null && timestamp == null) {
            complaints.say("tolerance", "means nothing without timestamp:, which says where the time stands");
        }
        if (signature != null) {
            complaints.fitting(() -> scheme().scheme());
        }
    }

    @Override
    public Gate gate(References references) {
        SecretEntry.Resolved secrets = SecretEntry.resolve("secret", secret, references);
        return secrets.offReason() == null && signature != null
                ? new Gate(new SignatureVerifier(name, scheme().scheme(), secrets.secrets()), null)
                : new Gate(new ClosedVerifier(name, TrustMode.SIGNED), secrets.offReason());
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "hmac " + name;
    }
}
