package redis;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.Suspendable;
import org.apache.camel.support.DefaultConsumer;
import org.redisson.api.RTopic;
import org.redisson.api.listener.MessageListener;
import org.redisson.client.codec.ByteArrayCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import pace.Backoff;
import pace.LogPace;

/**
 * Makes an exchange of each message of a channel. What fails, and what comes while too many are on their way, is gone, and
 * counted. Starting needs no Redis: a thread subscribes, and looks every few seconds whether the subscription lives.
 */
public final class PubSubConsumer extends DefaultConsumer implements Suspendable, Watched {
    private static final Logger LOG = LoggerFactory.getLogger(PubSubConsumer.class);
    private static final Duration LOOK = Duration.ofSeconds(3);
    private static final long PATIENCE_MILLIS = 5_000;

    private final RedisPubSubEndpoint endpoint;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicLong lost = new AtomicLong();
    private final LogPace losses = new LogPace();
    private volatile Subscription subscription;

    PubSubConsumer(RedisPubSubEndpoint endpoint, Processor processor) {
        super(endpoint, processor);
        this.endpoint = endpoint;
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        subscription = new Subscription();
        subscription.thread.start();
    }

    @Override
    protected void doResume() throws Exception {
        doStart();
    }

    @Override
    protected void doSuspend() throws Exception {
        end();
        super.doSuspend();
    }

    @Override
    protected void doStop() throws Exception {
        end();
        super.doStop();
    }

    private void end() throws InterruptedException {
        leave();
        Subscription ending = subscription;
        if (ending != null) {
            ending.thread.join(PATIENCE_MILLIS);
        }
    }

    @Override
    public void leave() {
        Subscription ending = subscription;
        if (ending != null) {
            ending.over.countDown();
        }
    }

    /** What exists between one start and the next stop. */
    private final class Subscription implements Runnable {
        private final CountDownLatch over = new CountDownLatch(1);
        private final Thread thread = new Thread(this, "redis-" + endpoint.getKey());
        private final MessageListener<byte[]> listener = (channel, message) -> receive(message);
        private final Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5));
        private Integer listening;
        private volatile String away = "not subscribed yet";

        Subscription() {
            thread.setDaemon(true);
        }

        @Override
        public void run() {
            try {
                boolean last;
                do {
                    last = over.await(look().toMillis(), TimeUnit.MILLISECONDS);
                } while (!last);
                leaveChannel();
            } catch (InterruptedException e) {
                // nobody but the end of the process interrupts it
                Thread.currentThread().interrupt();
            }
        }

        /** Subscribes, or sees that this still holds; answers when to look again. */
        private Duration look() {
            try {
                RTopic topic = topic();
                if (listening == null) {
                    listening = topic.addListener(byte[].class, listener);
                } else if (topic.countSubscribers() == 0) {
                    leaveChannel();
                    return Duration.ZERO;
                }
                if (away != null) {
                    LOG.info("listening channel={}", endpoint.getKey());
                }
                away = null;
                backoff.reset();
                return LOOK;
            } catch (RuntimeException failure) {
                away = Reason.of(failure);
                endpoint.failures()
                        .log(suppressed -> LOG.warn(
                                "Redis does not do what is asked, trying again channel {} suppressed={} error={}",
                                endpoint.getKey(),
                                suppressed,
                                away));
                return backoff.next();
            }
        }

        private void leaveChannel() {
            if (listening != null) {
                topic().removeListener(listening);
                listening = null;
            }
        }

        private RTopic topic() {
            return endpoint.client().getTopic(endpoint.getKey(), ByteArrayCodec.INSTANCE);
        }

        private void receive(byte[] message) {
            if (over.getCount() > 0) {
                deliver(message);
            }
        }
    }

    private void deliver(byte[] message) {
        if (inFlight.incrementAndGet() > endpoint.getMaxInFlight()) {
            inFlight.decrementAndGet();
            lost("more are on their way than maxInFlight allows");
            return;
        }
        Exchange exchange = createExchange(true);
        exchange.getMessage().setBody(message);
        exchange.getMessage().setHeader(RedisHeaders.KEY, endpoint.getKey());
        exchange.getMessage().setHeader(RedisHeaders.CONNECTION, endpoint.getConnection());
        getAsyncProcessor().process(exchange, doneSync -> {
            inFlight.decrementAndGet();
            if (exchange.getException() != null) {
                lost(String.valueOf(exchange.getException().getMessage()));
            }
        });
    }

    private void lost(String reason) {
        lost.incrementAndGet();
        losses.log(suppressed -> LOG.warn(
                "a message was lost channel={} suppressed={} reason={}", endpoint.getKey(), suppressed, reason));
    }

    @Override
    public Standing standing() {
        String name = "channel " + endpoint.getKey() + " (" + lost.get() + " lost)";
        Subscription now = subscription;
        String away = now == null ? "not started" : now.away;
        return away == null
                ? new Standing(true, name)
                : new Standing(false, name + ": Redis (" + endpoint.url() + ") does not do what is asked: " + away);
    }
}
