package http;

import java.time.Duration;
import java.util.Objects;

/**
 * What a request that was let in may do.
 *
 * @param maxBody bytes; one more is refused with BODY_TOO_LARGE, before it is read where Content-Length says so
 * @param bodyTimeout from the end of the head to the last byte of the body; after it, BODY_TIMEOUT
 * @param meter told about each byte of the body as it arrives
 * @param client the address of who calls, which a proxy may have forwarded; null: the peer's own
 * @param url the address that was called, as the sender knows it; null: what the Host header says
 */
public record Admission(long maxBody, Duration bodyTimeout, BodyMeter meter, String client, String url) {
    /** For who calls directly. */
    public Admission(long maxBody, Duration bodyTimeout, BodyMeter meter) {
        this(maxBody, bodyTimeout, meter, null, null);
    }

    public Admission {
        Objects.requireNonNull(meter, "meter");
        if (maxBody < 0 || bodyTimeout.isNegative() || bodyTimeout.isZero()) {
            throw new IllegalArgumentException(
                    "a body needs a limit of 0 bytes or more and a positive time: " + maxBody + ", " + bodyTimeout);
        }
    }
}
