package routes;

import adapters.Adapter;
import adapters.AdapterRegistry;
import http.Admission;
import http.Approach;
import http.BodyMeter;
import http.Doorman;
import intake.Budget;
import intake.Intake;
import java.time.Duration;
import java.util.Optional;
import model.Refusal;
import net.Proxies;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import pace.LogPace;

/** Decides by path, before the first byte of a body is read: who may come in now, and how much may be sent. */
public final class FrontDoor implements Doorman {
    private static final Logger LOG = LoggerFactory.getLogger(FrontDoor.class);

    /** Largest body of an API call: a bulk of results. */
    static final long API_MAX_BODY = 8L << 20;

    private static final Duration API_BODY_TIMEOUT = Duration.ofSeconds(10);
    private static final String WEBHOOKS = "/webhooks/";
    private static final String GENERIC = WEBHOOKS + "generic/";
    private static final String STORED = WEBHOOKS + "w/";

    /** What lies behind the door while the hub is open. */
    private record House(AdapterRegistry adapters, Intake intake) {}

    private volatile Refusal closed =
            new Refusal(Refusal.Code.STARTING, "the hub is starting, or waits for its database; send again (starting)");
    private volatile House house;

    private final Proxies proxies;
    private final Turnstile turnstile = new Turnstile();
    private final LogPace refusals = new LogPace();

    /** @param proxies tells who calls and at which address */
    public FrontDoor(Proxies proxies) {
        this.proxies = proxies;
    }

    /** From now on everybody is let in. */
    public void open(AdapterRegistry adapters, Intake intake) {
        house = new House(adapters, intake);
        closed = null;
    }

    /** From now on nobody is let in any more. */
    public void close() {
        closed = new Refusal(Refusal.Code.STOPPING, "the hub is stopping; send again (stopping)");
    }

    public boolean isOpen() {
        return closed == null;
    }

    boolean isClosing() {
        Refusal refusal = closed;
        return refusal != null && refusal.code() == Refusal.Code.STOPPING;
    }

    @Override
    public Admission admit(Approach approach) {
        String path = approach.path();
        String client = proxies.client(approach.peer(), approach.header());
        if (path.startsWith("/health/") || path.equals(OpenApiRoute.PATH)) {
            return new Admission(0, API_BODY_TIMEOUT, BodyMeter.UNMETERED, client, null);
        }
        Refusal refusal = closed;
        if (refusal != null) {
            throw refusal;
        }
        House open = house;
        if (!path.startsWith(WEBHOOKS)) {
            Budget.Hold hold = open.intake.meter("api", client);
            return new Admission(API_MAX_BODY, API_BODY_TIMEOUT, metered(hold, () -> {}), client, null);
        }
        Adapter adapter =
                state(open.adapters, path).orElseThrow(() -> Door.unknown(path)).adapter();
        Runnable leave = passed(adapter, client);
        return new Admission(
                adapter.maxBody(),
                adapter.bodyTimeout(),
                metered(open.intake.meter(adapter.name(), client), leave),
                client,
                proxies.url(approach.peer(), approach.header(), approach.target()));
    }

    private Runnable passed(Adapter adapter, String client) {
        try {
            return turnstile.pass(adapter, client);
        } catch (Refusal refusal) {
            refusals.log(suppressed -> LOG.warn(
                    "refused adapter={} code={} source_ip={} suppressed={}",
                    adapter.name(),
                    refusal.code().word(),
                    client,
                    suppressed));
            throw refusal;
        }
    }

    private static Optional<AdapterRegistry.State> state(AdapterRegistry adapters, String path) {
        if (path.startsWith(GENERIC)) {
            return adapters.generic(path.substring(GENERIC.length()));
        }
        return path.startsWith(STORED)
                ? adapters.stored(path.substring(STORED.length()))
                : adapters.webhook(path.substring(WEBHOOKS.length()));
    }

    private static BodyMeter metered(Budget.Hold hold, Runnable leave) {
        return new BodyMeter() {
            @Override
            public boolean take(int bytes) {
                return hold.take(bytes);
            }

            @Override
            public void giveBack() {
                hold.giveBack();
                leave.run();
            }
        };
    }
}
