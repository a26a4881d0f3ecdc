package hub;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a hub until SIGTERM or SIGINT, then closes it and ends the process with status 0: a stop that was asked for is no
 * failure, whatever the JVM says about signals (143, 130). Also a signal that arrives while the hub still starts.
 */
final class Serving {
    private static final Logger LOG = LoggerFactory.getLogger(Serving.class);
    private static final long UNWIND_SECONDS = 60;

    private final Thread starter = Thread.currentThread();
    private final CountDownLatch unwound = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile Hub hub;
    private volatile boolean stopping;

    private Serving() {}

    /**
     * Returns only by an exception.
     *
     * @param whenUp told once the hub runs
     * @throws RuntimeException what kept the hub from starting, or what {@code whenUp} threw; the hub is closed then
     */
    static void untilSignal(HubConfig config, Consumer<Hub> whenUp) {
        new Serving().run(config, whenUp);
    }

    private void run(HubConfig config, Consumer<Hub> whenUp) {
        Thread stop = new Thread(this::stop, "stop");
        Runtime.getRuntime().addShutdownHook(stop);
        try {
            // from the beginning: whoever sends it does not know how far the start is
            HangUp.call(this::readSecretsAgain);
            hub = Hub.start(config);
            whenUp.accept(hub);
            never.await();
        } catch (InterruptedException stopped) {
            waitForTheEnd();
        } catch (RuntimeException failed) {
            unwound.countDown();
            if (stopping || !withdrawn(stop)) {
                waitForTheEnd();
            }
            if (hub != null) {
                hub.close();
            }
            throw failed;
        }
    }

    private void readSecretsAgain() {
        Hub running = hub;
        if (running != null) {
            running.readSecretsAgain();
        }
    }

    /** False when a signal was faster: then the stop thread decides how the process ends. */
    private static boolean withdrawn(Thread stop) {
        try {
            return Runtime.getRuntime().removeShutdownHook(stop);
        } catch (IllegalStateException shuttingDown) {
            return false;
        }
    }

    /** The stop thread halts the JVM; until then this one must not return, which would look like a failed start. */
    private void waitForTheEnd() {
        while (true) {
            unwound.countDown();
            try {
                never.await();
            } catch (InterruptedException again) {
                LOG.debug("interrupted while stopping");
            }
        }
    }

    private void stop() {
        stopping = true;
        int status = 0;
        try {
            LOG.info("stopping");
            if (hub == null) {
                starter.interrupt();
                if (!unwound.await(UNWIND_SECONDS, TimeUnit.SECONDS)) {
                    LOG.warn("the start did not end within {} s", UNWIND_SECONDS);
                }
            }
            if (hub != null) {
                hub.close();
            }
            LOG.info("stopped");
        } catch (InterruptedException | RuntimeException failed) {
            LOG.error("not everything stopped", failed);
            status = 1;
        }
        System.out.flush();
        // past here the JVM would report the signal; the hub is closed, so nothing is left for other hooks
        Runtime.getRuntime().halt(status);
    }
}
