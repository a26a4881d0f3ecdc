package verify;

import model.Refusal;
import model.TrustMode;

/**
 * Lets in nobody: for an adapter whose secret is missing, and for one that takes no webhooks. A door that forgets to
 * look whether an adapter is on still opens nothing.
 */
public final class ClosedVerifier implements Verifier {

    private final String adapter;
    private final TrustMode trustMode;

    /** @param trustMode what would vouch for a delivery if the adapter were on */
    public ClosedVerifier(String adapter, TrustMode trustMode) {
        this.adapter = adapter;
        this.trustMode = trustMode;
    }

    @Override
    public TrustMode trustMode() {
        return trustMode;
    }

    /** Answers like a path that does not exist, so that a stranger learns nothing about what is configured. */
    @Override
    public Verified verify(Request request) {
        throw new Refusal(Refusal.Code.NOT_FOUND, adapter + ": no such webhook (not_found)");
    }
}
