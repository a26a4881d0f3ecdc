package adapters;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import verify.Handshake;

/**
 * Which adapters exist, whose they are, and which are on: what adapters.yaml declares, and what was switched over REST,
 * which wins until it is cleared.
 */
public final class AdapterRegistry {
    /** The account that owns what says nothing else. */
    public static final String OPERATOR = "operator";

    private volatile Adapters adapters;
    private final Map<String, Long> accounts;
    private volatile Map<String, Boolean> switches = Map.of();
    private volatile Map<String, Stored> stored = Map.of();

    private final Map<String, Map<String, LongAdder>> matches = new ConcurrentHashMap<>();

    /** @param changedAt when the webhook that it was made of was changed last */
    private record Stored(State state, long changedAt) {}

    /**
     * An adapter and how it stands.
     *
     * @param accountId whose events and todos its deliveries become
     * @param enabled what was switched over REST; null: as adapters.yaml says
     * @param on whether deliveries get in
     * @param offReason why not; null when they do
     */
    public record State(Adapter adapter, long accountId, Boolean enabled, boolean on, String offReason) {

        private boolean isAsked() {
            return adapter.handshake() != Handshake.NONE
                    && adapter.offReason().isPresent()
                    && !Boolean.FALSE.equals(enabled);
        }
    }

    /**
     * @param accounts account id by the name that {@code account:} gives; the operator's is under {@code operator}
     */
    public AdapterRegistry(Adapters adapters, Map<String, Long> accounts) {
        this.adapters = adapters;
        this.accounts = Map.copyOf(accounts);
    }

    /** The account that owns an adapter or queue of this {@code account:}. */
    public long accountId(Optional<String> account) {
        return accounts.get(account.orElse(OPERATOR));
    }

    /** What is declared, on or off. */
    public Adapters declared() {
        return adapters;
    }

    /**
     * Counts a delivery that an adapter's secret vouched for.
     *
     * @param secret its name; null when it has none
     * @return true for the first since the hub started
     */
    public boolean countMatch(String adapter, String secret) {
        LongAdder count = matches.computeIfAbsent(adapter, name -> new ConcurrentHashMap<>())
                .computeIfAbsent(secret == null ? "" : secret, id -> new LongAdder());
        boolean first = count.sum() == 0;
        count.increment();
        return first;
    }

    /** How many deliveries a secret vouched for since the hub started. */
    public long matches(String adapter, String secret) {
        LongAdder count = matches.getOrDefault(adapter, Map.of()).get(secret == null ? "" : secret);
        return count == null ? 0 : count.sum();
    }

    /** Takes over the same adapters with other secrets. */
    public void secretsAre(Adapters again) {
        adapters = again;
    }

    /** The adapter of that name, on or off; of adapters.yaml, or a webhook that was made over REST. */
    public Optional<State> named(String name) {
        return adapters.named(name)
                .map(this::state)
                .or(() -> Optional.ofNullable(stored.get(name)).map(Stored::state));
    }

    /** The webhook behind {@code POST /webhooks/w/{id}}, when it is on. */
    public Optional<State> stored(String id) {
        return Optional.ofNullable(stored.get(StoredWebhook.adapterName(id)))
                .map(Stored::state)
                .filter(State::on);
    }

    /** Takes over which webhooks there are; what did not change stays as it is. */
    public void store(List<StoredWebhook> webhooks) {
        Map<String, Stored> former = stored;
        Map<String, Stored> now = new HashMap<>();
        for (StoredWebhook webhook : webhooks) {
            String name = StoredWebhook.adapterName(webhook.id());
            Stored known = former.get(name);
            now.put(name, known != null && known.changedAt == webhook.changedAt() ? known : stored(webhook));
        }
        stored = Map.copyOf(now);
    }

    private static Stored stored(StoredWebhook webhook) {
        Adapter adapter = webhook.adapter();
        String reason = adapter.offReason().orElse(null);
        return new Stored(new State(adapter, webhook.accountId(), null, reason == null, reason), webhook.changedAt());
    }

    /**
     * The adapter behind {@code POST /webhooks/{name}}, when it is on, or when it is off for want of the very secret that its
     * provider is about to tell: then nothing but that gets in.
     */
    public Optional<State> webhook(String name) {
        return adapters.webhook(name).map(this::state).filter(state -> state.on() || state.isAsked());
    }

    /** The adapter behind {@code POST /webhooks/generic/{name}}, when it is on. */
    public Optional<State> generic(String name) {
        return adapters.generic(name).map(this::state).filter(State::on);
    }

    /** All of them, in the order of the file. */
    public List<State> states() {
        List<State> states = new ArrayList<>();
        adapters.all().forEach(adapter -> states.add(state(adapter)));
        return states;
    }

    /** Takes over what was switched: true or false by adapter name. */
    public void switchTo(Map<String, Boolean> switched) {
        switches = Map.copyOf(switched);
    }

    private State state(Adapter adapter) {
        Boolean enabled = switches.get(adapter.name());
        String reason = adapter.offReason().orElse(Boolean.FALSE.equals(enabled) ? "switched off over REST" : null);
        return new State(adapter, accountId(adapter.account()), enabled, reason == null, reason);
    }
}
