package verify;

import java.util.List;
import model.TrustMode;

/** Decides whether a request comes from whom it says. One instance serves all threads. */
public interface Verifier {

    /** What a request that passes is vouched for by. */
    TrustMode trustMode();

    /**
     * Lets the request in, or throws.
     *
     * @throws model.Refusal {@code signature_missing}, {@code signature_malformed}, {@code signature_mismatch}, {@code
     *     signature_expired} (401),
     *     {@code token_missing}, {@code token_mismatch} (403), or {@code not_found} (404) where no request can pass
     */
    Verified verify(Request request);

    /** The secrets that it knows, by name and end; none where it needs none or knows only a digest. */
    default List<Secret> secrets() {
        return List.of();
    }

    /** What is looked at and how it compares, step by step, for the person whose deliveries are refused; no secrets. */
    default List<String> explain(Request request) {
        return List.of();
    }
}
