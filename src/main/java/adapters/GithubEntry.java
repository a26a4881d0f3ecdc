package adapters;

import java.util.List;
import java.util.function.Function;
import model.TrustMode;
import verify.ClosedVerifier;
import verify.SignatureScheme;
import verify.SignatureVerifier;

/** {@code type: github}. */
record GithubEntry(
        String name,
        String type,
        String account,
        List<RuleEntry> todos,
        String maxBody,
        String ruleMaxBody,
        String dedup,
        String bodyTimeout,
        String secret)
        implements AdapterEntry {

    @Override
    public Gate gate(Function<String, String> environment) {
        Secret resolved = Secret.resolve("secret", secret, environment);
        return resolved.isMissing()
                ? new Gate(new ClosedVerifier(name, TrustMode.SIGNED), resolved.missing())
                : new Gate(new SignatureVerifier(name, SignatureScheme.GITHUB, resolved.value()), null);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "github " + name;
    }
}
