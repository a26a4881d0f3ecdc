package verify;

import java.net.URI;
import java.time.Duration;
import model.Refusal;

/** Where certificates and sets of keys come from that stand elsewhere. Verification itself reads nothing. */
@FunctionalInterface
public interface Documents {

    /** For where nothing may be fetched. */
    Documents NONE = (address, maxAge) -> {
        throw new Refusal(
                Refusal.Code.KEYS_UNAVAILABLE, "nothing is fetched here, also not " + address + " (keys_unavailable)");
    };

    /**
     * The document at that address, fetched now or not longer ago than that.
     *
     * @throws Refusal {@code keys_unavailable} when it is not to be had in two seconds; the same delivery may get in later
     */
    byte[] at(URI address, Duration maxAge);
}
