package pgevent;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import pace.Backoff;

/**
 * The reading side: one session that listens, replaced for as long as it takes whenever it is lost. After each LISTEN, and
 * not before it, one wake goes to the hand-over: what was sent while nobody listened is lost, and only this tells.
 *
 * <p>A silent session is asked for a sign of life after 5 s and has 3 s to give it, so a dead peer is noticed within 10 s.
 */
final class Listener implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final Duration GLANCE = Duration.ofSeconds(1);
    private static final long SILENCE = Duration.ofSeconds(5).toNanos();

    private enum State {
        /** No session. */
        DOWN,
        /** A session listens; whether it hears is not known yet. */
        LISTENING,
        /** It has heard itself. */
        UP,
        /** It should have heard itself and has not. */
        DEAF
    }

    private final Sessions sessions;
    private final List<String> channels;
    private final Handover handover;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2));
    private final Pace log = new Pace();
    private volatile State state = State.DOWN;
    private volatile Session current;
    private String reason = Notifications.CONNECTED;
    private boolean deafnessTold;

    Listener(Sessions sessions, List<String> channels, Handover handover) {
        this.sessions = sessions;
        this.channels = channels;
        this.handover = handover;
    }

    boolean isUp() {
        return state == State.UP;
    }

    boolean isDeaf() {
        return state == State.DEAF;
    }

    /** Makes {@link #run} return, from any thread. */
    void stop() {
        stop.countDown();
        Session listening = current;
        if (listening != null) {
            listening.abort();
        }
    }

    @Override
    public void run() {
        while (!stopped()) {
            try (Session session = sessions.open()) {
                // published before the question, so that stop() either is seen here or sees the session
                current = session;
                if (!stopped()) {
                    listenOn(session);
                }
            } catch (Throwable lost) {
                // whatever it is: a reader that ends without a word is the fault that this class replaces
                tellLost(lost);
            } finally {
                current = null;
                state = State.DOWN;
            }
            pause(backoff.next());
        }
    }

    private void listenOn(Session session) throws SQLException {
        SelfProbe probe = new SelfProbe(sessions);
        session.listen(
                Stream.concat(channels.stream(), Stream.of(probe.channel())).toList());
        state = State.LISTENING;
        backoff.reset();
        handover.put(Notification.wake(reason));
        reason = Notifications.RECONNECTED;

        long lastSign = System.nanoTime();
        while (!stopped()) {
            send(probe);
            boolean spoke = false;
            for (Notification arrived : session.await(GLANCE)) {
                spoke = true;
                if (!probe.recognises(arrived)) {
                    handover.put(arrived);
                }
            }
            if (!spoke && System.nanoTime() - lastSign > SILENCE) {
                session.beat();
                spoke = true;
            }
            if (spoke) {
                lastSign = System.nanoTime();
            }
            judge(probe, session);
            log.catchUp();
        }
    }

    private void send(SelfProbe probe) {
        try {
            probe.sendOnce();
        } catch (SQLException e) {
            // this session may be fine all the same: it stays, unproven, and the probe is sent again later
            log.say(() -> LOG.warn(
                    "listener cannot prove that it hears, a second session was refused: {} channels={}",
                    e.getMessage(),
                    channels));
        }
    }

    private void judge(SelfProbe probe, Session session) {
        if (probe.heard() && state != State.UP) {
            state = State.UP;
            deafnessTold = false;
            int backend = session.backend();
            log.say(() -> LOG.info("listener up channels={} backend={}", channels, backend));
        } else if (probe.missing() && state == State.LISTENING) {
            state = State.DEAF;
            if (!deafnessTold) {
                log.say(this::tellDeafness);
            }
        }
    }

    private void tellDeafness() {
        deafnessTold = true;
        LOG.warn(
                "listener is deaf: connected, but its own NOTIFY did not arrive. LISTEN does not work through a transaction"
                        + " pooler; give the listener a URL that leads to PostgreSQL itself. Waiters poll until then."
                        + " channels={}",
                channels);
    }

    private void tellLost(Throwable lost) {
        if (!stopped()) {
            log.say(() -> LOG.warn("listener lost, connecting again: {} channels={}", lost.toString(), channels));
        }
    }

    private boolean stopped() {
        return stop.getCount() == 0;
    }

    /** Waits, or less when it is time to stop. */
    private void pause(Duration time) {
        try {
            stop.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // only a stop that ran out of patience interrupts this thread
            Thread.currentThread().interrupt();
        }
    }
}
