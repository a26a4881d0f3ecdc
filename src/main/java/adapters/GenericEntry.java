package adapters;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.List;
import model.TrustMode;
import verify.ClosedVerifier;
import verify.OpenVerifier;
import verify.TokenScheme;
import verify.TokenVerifier;

/** {@code type: generic}. */
record GenericEntry(
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
        List<SecretEntry> token,

        String trust)
        implements AdapterEntry {

    /** Whether the file asks for an adapter without any check, in so many words. */
    boolean isOpen() {
        return "open".equals(trust);
    }

    @Override
    public void check(Complaints complaints) {
        complaints.secrets("token", token);
        if (isOpen() && token != null) {
            complaints.say(
                    "trust", "trust: open lets everybody in, so the token would check nothing; keep one of the two");
        }
    }

    @Override
    public Gate gate(References references) {
        if (isOpen()) {
            return new Gate(new OpenVerifier(), null);
        }
        SecretEntry.Resolved tokens = SecretEntry.resolve("token", token, references);
        return tokens.offReason() == null
                ? new Gate(new TokenVerifier(name, TokenScheme.GENERIC, tokens.secrets()), null)
                : new Gate(new ClosedVerifier(name, TrustMode.TOKEN), tokens.offReason());
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "generic " + name;
    }
}
