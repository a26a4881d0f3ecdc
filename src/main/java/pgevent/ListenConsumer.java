package pgevent;

import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.spi.ExceptionHandler;
import org.apache.camel.support.DefaultConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs its route once per notification, one after the other, and once per wake ({@link Notifications#WAKE}). Notifications
 * are hints: they may be coalesced, and one that fails in the route is not repeated.
 *
 * <p>Starting touches no database, so it succeeds while there is none. Two threads work between start and stop: one reads
 * ({@link Listener}), one runs the route; stopping ends both and the session, suspending is the same.
 */
public final class ListenConsumer extends DefaultConsumer {
    private static final Logger LOG = LoggerFactory.getLogger(ListenConsumer.class);
    private static final int NOTIFICATIONS_THAT_MAY_WAIT = 1024;
    private static final long PATIENCE_MILLIS = 5000;

    private final ListenEndpoint endpoint;
    private final Sessions sessions;
    private volatile Run run;

    /** What exists between one start and the next stop; a thread that outlives its stop can do nothing to its successor. */
    private record Run(Listener listener, Handover handover, Thread reader, Thread dispatcher) {}

    ListenConsumer(ListenEndpoint endpoint, Processor processor, Sessions sessions) {
        super(endpoint, processor);
        this.endpoint = endpoint;
        this.sessions = sessions;
        setExceptionHandler(new PacedExceptionHandler(getExceptionHandler()));
    }

    /** Whether a session listens and has proved that it hears. When not, waiters have only their polling. */
    public boolean isUp() {
        Run now = run;
        return now != null && now.listener().isUp();
    }

    /** Whether a session listens and does not hear, as behind a transaction pooler. */
    public boolean isDeaf() {
        Run now = run;
        return now != null && now.listener().isDeaf();
    }

    /** How many notifications wait for the route, 0 to 1024. */
    public int waiting() {
        Run now = run;
        return now == null ? 0 : now.handover().size();
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        Handover handover = new Handover(NOTIFICATIONS_THAT_MAY_WAIT, endpoint.uncoalesced());
        Listener listener = new Listener(sessions, endpoint.channels(), handover);
        Thread reader = thread("reader", listener);
        Thread dispatcher = thread("dispatcher", () -> dispatch(handover));
        run = new Run(listener, handover, reader, dispatcher);
        dispatcher.start();
        reader.start();
    }

    @Override
    protected void doStop() throws Exception {
        Run ending = run;
        run = null;
        if (ending != null) {
            ending.listener().stop();
            ending.handover().close();
            awaitEnd(ending.reader());
            awaitEnd(ending.dispatcher());
        }
        super.doStop();
    }

    private void dispatch(Handover handover) {
        Pace log = new Pace();
        for (Notification next = handover.take(); next != null; next = handover.take()) {
            try {
                process(next);
            } catch (Throwable e) {
                // an exception handler that throws must not end the hand-over without a word
                if (log.permits()) {
                    LOG.error(
                            "notification not processed, and its exception handler failed channel={}",
                            next.channel(),
                            e);
                }
            }
            // a route that leaves the thread interrupted must not hurt the next one
            Thread.interrupted();
        }
    }

    private void process(Notification notification) {
        Exchange exchange = createExchange(false);
        try {
            exchange.getMessage().setHeader(Notifications.CHANNEL, notification.channel());
            exchange.getMessage().setBody(notification.payload());
            getProcessor().process(exchange);
        } catch (Throwable e) {
            exchange.setException(e);
        }
        if (exchange.getException() != null) {
            getExceptionHandler().handleException("notification not processed", exchange, exchange.getException());
        }
        releaseExchange(exchange, false);
    }

    private Thread thread(String role, Runnable work) {
        Thread thread = new Thread(work, "pgevent-" + role + "-" + endpoint.getChannel());
        thread.setDaemon(true);
        return thread;
    }

    private static void awaitEnd(Thread thread) throws InterruptedException {
        if (thread == Thread.currentThread()) {
            // a route that stops itself: its thread ends when this returns
            return;
        }
        thread.join(PATIENCE_MILLIS);
        if (thread.isAlive()) {
            LOG.warn(
                    "{} is still busy after {} s, interrupted",
                    thread.getName(),
                    TimeUnit.MILLISECONDS.toSeconds(PATIENCE_MILLIS));
            thread.interrupt();
        }
    }

    /** Camel's own handler, for at most one failure a second: a route that fails may fail at every notification. */
    private static final class PacedExceptionHandler implements ExceptionHandler {
        private final ExceptionHandler handler;
        private final Pace pace = new Pace();

        PacedExceptionHandler(ExceptionHandler handler) {
            this.handler = handler;
        }

        @Override
        public synchronized void handleException(Throwable exception) {
            if (pace.permits()) {
                handler.handleException(exception);
            }
        }

        @Override
        public synchronized void handleException(String message, Throwable exception) {
            if (pace.permits()) {
                handler.handleException(message, exception);
            }
        }

        @Override
        public synchronized void handleException(String message, Exchange exchange, Throwable exception) {
            if (pace.permits()) {
                handler.handleException(message, exchange, exception);
            }
        }
    }
}
