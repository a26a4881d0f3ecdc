package http;

import java.time.Duration;
import java.util.Objects;

/**
 * What a request that was let in may do.
 *
 * @param maxBody bytes; one more is refused with BODY_TOO_LARGE, before it is read where Content-Length says so
 * @param bodyTimeout from the end of the head to the last byte of the body; after it, BODY_TIMEOUT
 * @param meter told about each byte of the body as it arrives
 */
public record Admission(long maxBody, Duration bodyTimeout, BodyMeter meter) {
    public Admission {
        Objects.requireNonNull(meter, "meter");
        if (maxBody < 0 || bodyTimeout.isNegative() || bodyTimeout.isZero()) {
            throw new IllegalArgumentException(
                    "a body needs a limit of 0 bytes or more and a positive time: " + maxBody + ", " + bodyTimeout);
        }
    }
}
