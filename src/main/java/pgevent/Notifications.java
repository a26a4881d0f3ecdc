package pgevent;

import java.nio.charset.StandardCharsets;
import org.apache.camel.component.pgevent.PgEventConstants;

/** The words and limits of what travels by LISTEN and NOTIFY. */
public final class Notifications {
    /** The header that names the channel of a message. */
    public static final String CHANNEL = PgEventConstants.HEADER_CHANNEL;

    /**
     * The reserved channel of wakes that nobody sent: something may have been missed, look at everything again. The body
     * says why: {@link #CONNECTED}, {@link #RECONNECTED} or {@link #OVERFLOW}.
     */
    public static final String WAKE = "_wake";

    /** The first connection since the route started stands: what came before it was not heard. */
    public static final String CONNECTED = "connected";

    /** A new connection stands after a lost one: what came in between was not heard. */
    public static final String RECONNECTED = "reconnected";

    /** The route was slower than the notifications: those that waited were dropped for this one. */
    public static final String OVERFLOW = "overflow";

    /** PostgreSQL takes payloads shorter than 8000 bytes. */
    public static final int MAX_PAYLOAD_BYTES = 7999;

    /** LISTEN cuts longer names with no more than a NOTICE, and then hears nothing; pg_notify refuses them. */
    private static final int MAX_CHANNEL_BYTES = 63;

    /** What a listener calls the channel on which it hears itself; each connection adds letters of its own. */
    static final String PROBE_PREFIX = "_probe_";

    private Notifications() {}

    /**
     * Returns the payload when PostgreSQL will take it, so that a caller learns before the round trip, and before its
     * transaction is lost.
     *
     * @throws PayloadTooLarge when it has 8000 bytes or more in UTF-8
     */
    public static String checkPayload(String payload) {
        int bytes = payload.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_PAYLOAD_BYTES) {
            throw new PayloadTooLarge(bytes);
        }
        return payload;
    }

    /** Returns the channel when LISTEN would really hear it, and when it is not one of the reserved ones. */
    static String checkChannel(String channel) {
        int bytes = channel.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MAX_CHANNEL_BYTES) {
            throw new IllegalArgumentException("pgevent: channel '%s' has %d bytes, PostgreSQL takes 1 to %d"
                    .formatted(channel, bytes, MAX_CHANNEL_BYTES));
        }
        if (channel.equals(WAKE) || channel.startsWith(PROBE_PREFIX)) {
            throw new IllegalArgumentException(
                    "pgevent: channel '%s' is reserved for the listener itself, use another name".formatted(channel));
        }
        return channel;
    }

    /** A payload that NOTIFY cannot carry: store it in a row and send the row's id. */
    public static final class PayloadTooLarge extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private final int bytes;

        PayloadTooLarge(int bytes) {
            super("notification payload has %d bytes, PostgreSQL takes at most %d: store it in a row and send its id"
                    .formatted(bytes, MAX_PAYLOAD_BYTES));
            this.bytes = bytes;
        }

        public int bytes() {
            return bytes;
        }
    }
}
