package routes;

import adapters.Adapter;
import adapters.Limits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import model.Refusal;
import net.Address;
import pace.Allowance;

/** Lets in as many as an adapter takes, before their bodies are read. Counts in memory, so each hub counts for itself. */
final class Turnstile {
    /** Addresses whose rate is remembered; whoever was not seen for longest is forgotten first. */
    private static final int MOST_ADDRESSES = 10_000;

    private final Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();
    private final Map<String, Allowance> rates = new ConcurrentHashMap<>();
    private final Map<String, Allowance> addresses = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Allowance> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    /**
     * Takes a place.
     *
     * @return gives it back; to be called once
     * @throws Refusal {@code address_not_allowed} or {@code rate_limited}
     */
    Runnable pass(Adapter adapter, String address) {
        Limits limits = adapter.limits();
        limits.allow().filter(allowed -> !allowed.contain(address)).ifPresent(allowed -> {
            throw new Refusal(
                    Refusal.Code.ADDRESS_NOT_ALLOWED,
                    adapter.name() + ": " + address
                            + " is not among the networks that may deliver (address_not_allowed)");
        });
        limits.ratePerAddress().ifPresent(rate -> {
            String site = Address.of(address).map(Address::site).orElse(address);
            charge(adapter, allowance(adapter.name() + " " + site, rate), "this address");
        });
        limits.rate()
                .ifPresent(rate -> charge(
                        adapter,
                        rates.computeIfAbsent(adapter.name(), name -> new Allowance(rate.perSecond(), rate.burst())),
                        "this adapter"));
        return limits.concurrency().isPresent()
                ? place(adapter, limits.concurrency().get())
                : () -> {};
    }

    private Allowance allowance(String key, Limits.Rate rate) {
        synchronized (addresses) {
            return addresses.computeIfAbsent(key, unseen -> new Allowance(rate.perSecond(), rate.burst()));
        }
    }

    private static void charge(Adapter adapter, Allowance allowance, String whose) {
        int wait = allowance.take();
        if (wait > 0) {
            throw limited(adapter, "the rate of " + whose + " is used up", wait);
        }
    }

    private Runnable place(Adapter adapter, int most) {
        AtomicInteger places = inside.computeIfAbsent(adapter.name(), name -> new AtomicInteger());
        if (places.incrementAndGet() > most) {
            places.decrementAndGet();
            throw limited(adapter, most + " deliveries are under way already", 1);
        }
        return places::decrementAndGet;
    }

    private static Refusal limited(Adapter adapter, String reason, int wait) {
        return new Refusal(
                        Refusal.Code.RATE_LIMITED,
                        "%s: %s; send this again in %d s (rate_limited)".formatted(adapter.name(), reason, wait))
                .with("retry_after_seconds", wait);
    }
}
