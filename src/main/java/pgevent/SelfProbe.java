package pgevent;

import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/**
 * Finds out whether a session that has said LISTEN really hears. Behind a transaction pooler it does not: the LISTEN went
 * to a server connection that serves somebody else a moment later, and no error ever says so.
 *
 * <p>The listener notifies itself, over a second session of the same DataSource. Over the first it would prove nothing: a
 * server tells a session of its own NOTIFY in the answer to that very statement, which a pooler does pass on. The channel
 * is new for every session, so nodes do not hear each other's.
 */
final class SelfProbe {
    private static final long TIME_TO_HEAR = Duration.ofSeconds(3).toNanos();
    private static final long TIME_TO_TRY_AGAIN = Duration.ofSeconds(10).toNanos();

    private final String channel = Notifications.PROBE_PREFIX + UUID.randomUUID();
    private final Sessions sessions;
    private boolean sent;
    private boolean heard;
    private long sentAt;
    private long nextTry = System.nanoTime();

    SelfProbe(Sessions sessions) {
        this.sessions = sessions;
    }

    /** The channel to listen on for it. */
    String channel() {
        return channel;
    }

    /** Sends it unless that has worked before; when it does not work, again in ten seconds. */
    void sendOnce() throws SQLException {
        if (sent || System.nanoTime() - nextTry < 0) {
            return;
        }
        nextTry = System.nanoTime() + TIME_TO_TRY_AGAIN;
        sessions.announce(new Notification(channel, ""));
        sent = true;
        sentAt = System.nanoTime();
    }

    /** Whether this is the probe coming back. */
    boolean recognises(Notification notification) {
        boolean mine = notification.channel().equals(channel);
        heard |= mine;
        return mine;
    }

    boolean heard() {
        return heard;
    }

    /** Whether it was sent long enough ago that a session with ears had heard it. */
    boolean missing() {
        return sent && !heard && System.nanoTime() - sentAt > TIME_TO_HEAR;
    }
}
