package adapters;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which adapters exist, whose they are, and which are on: what adapters.yaml declares, and what was switched over REST,
 * which wins until it is cleared.
 */
public final class AdapterRegistry {
    /** The account that owns what says nothing else. */
    public static final String OPERATOR = "operator";

    private final Adapters adapters;
    private final Map<String, Long> accounts;
    private volatile Map<String, Boolean> switches = Map.of();

    /**
     * An adapter and how it stands.
     *
     * @param accountId whose events and todos its deliveries become
     * @param enabled what was switched over REST; null: as adapters.yaml says
     * @param on whether deliveries get in
     * @param offReason why not; null when they do
     */
    public record State(Adapter adapter, long accountId, Boolean enabled, boolean on, String offReason) {}

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

    /** The adapter of that name, on or off. */
    public Optional<State> named(String name) {
        return adapters.named(name).map(this::state);
    }

    /** The adapter behind {@code POST /webhooks/{name}}, when it is on. */
    public Optional<State> webhook(String name) {
        return adapters.webhook(name).map(this::state).filter(State::on);
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
