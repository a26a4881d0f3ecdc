package adapters;

import java.util.List;
import model.TrustMode;
import verify.ClosedVerifier;

/** {@code type: route}. */
record RouteEntry(
        String name,
        String type,
        String account,
        List<RuleEntry> todos,
        String maxBody,
        String ruleMaxBody,
        String dedup)
        implements AdapterEntry {

    /** What vouches for it is the integrator's own route; no webhook comes in under its name. */
    @Override
    public Gate gate(References references) {
        return new Gate(new ClosedVerifier(name, TrustMode.QUEUE), null);
    }
}
