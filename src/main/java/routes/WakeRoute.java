package routes;

import claims.Wakeups;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import pace.LogPace;
import pgevent.Notifications;

/**
 * From PostgreSQL's notifications to whoever waits here. A wake is a hint: a lost one costs latency, never a todo. After
 * every connection and every overflow the listener says so on a channel of its own, and everything is looked at again.
 */
public final class WakeRoute extends RouteBuilder {
    /** Bind the listener's unpooled DataSource under this name. */
    public static final String LISTENER = "listenerDataSource";

    /** Its id, for health: the consumer knows whether it hears. */
    public static final String ID = "wake";

    private static final Logger LOG = LoggerFactory.getLogger(WakeRoute.class);

    private static final String ACCESS = "access_changed";

    private final Wakeups wakeups;
    private final Runnable accessChanged;
    private final LogPace strange = new LogPace();

    /** @param accessChanged called whenever access changed, or may have; must not block */
    public WakeRoute(Wakeups wakeups, Runnable accessChanged) {
        this.wakeups = wakeups;
        this.accessChanged = accessChanged;
    }

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        // access changes on a channel of their own: never coalesced with wakes; a drop of wakes forgets access too
        from("pgevent:hub/todo_ready?channels=" + ACCESS + "&uncoalesced=" + ACCESS + "&datasource=#" + LISTENER)
                .routeId(ID)
                .bean(this, "wake");
    }

    /** {@code <account id>:<queue>} wakes those of one queue, the listener's own channel wakes everybody. */
    public void wake(Exchange exchange) {
        String channel = exchange.getMessage().getHeader(Notifications.CHANNEL, String.class);
        if (Notifications.WAKE.equals(channel)) {
            accessChanged.run();
            wakeups.ringAll();
            return;
        }
        if (ACCESS.equals(channel)) {
            accessChanged.run();
            return;
        }
        String payload = exchange.getMessage().getBody(String.class);
        int colon = payload.indexOf(':');
        try {
            wakeups.ring(Long.parseLong(payload.substring(0, Math.max(0, colon))), payload.substring(colon + 1));
        } catch (NumberFormatException notOurs) {
            strange.log(more -> LOG.warn(
                    "somebody else notifies on todo_ready, ignored length={} more={}", payload.length(), more));
        }
    }
}
