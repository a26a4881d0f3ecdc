package adapters;

import java.util.List;
import java.util.function.Function;
import model.TrustMode;
import verify.ClosedVerifier;
import verify.OpenVerifier;
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
        String token,
        String trust)
        implements AdapterEntry {

    /** Whether the file asks for an adapter without any check, in so many words. */
    boolean isOpen() {
        return "open".equals(trust);
    }

    @Override
    public Gate gate(Function<String, String> environment) {
        if (isOpen()) {
            return new Gate(new OpenVerifier(), null);
        }
        Secret resolved = Secret.resolve("token", token, environment);
        return resolved.isMissing()
                ? new Gate(new ClosedVerifier(name, TrustMode.TOKEN), resolved.missing())
                : new Gate(new TokenVerifier(name, resolved.value()), null);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "generic " + name;
    }
}
