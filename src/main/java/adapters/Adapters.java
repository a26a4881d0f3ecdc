package adapters;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The adapters that adapters.yaml declares, on or off: an immutable value, replaced as a whole. What was switched on
 * or off at run time is not in here.
 */
public final class Adapters {

    private final Map<String, Adapter> byName = new LinkedHashMap<>();

    Adapters(Collection<Adapter> adapters) {
        adapters.forEach(adapter -> byName.put(adapter.name(), adapter));
    }

    /** A hub without adapters. */
    public static Adapters none() {
        return new Adapters(List.of());
    }

    /** The adapter behind {@code POST /webhooks/{name}}. */
    public Optional<Adapter> webhook(String name) {
        return named(name).filter(adapter -> adapter.type() == AdapterType.GITHUB);
    }

    /** The adapter behind {@code POST /webhooks/generic/{name}}. */
    public Optional<Adapter> generic(String name) {
        return named(name).filter(adapter -> adapter.type() == AdapterType.GENERIC);
    }

    /** The adapter behind {@code intake:<name>}, whatever its type. */
    public Optional<Adapter> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** All of them, in the order of the file. */
    public List<Adapter> all() {
        return List.copyOf(byName.values());
    }

    /** Every queue that a rule can reach, each once, so that its row can be made before the first todo. */
    public List<Queue> queues() {
        return byName.values().stream()
                .flatMap(adapter -> adapter.rules().queues().stream().map(name -> new Queue(adapter.account(), name)))
                .distinct()
                .toList();
    }

    /**
     * A queue that rules put todos on.
     *
     * @param account the account it belongs to; empty for the operator's
     */
    public record Queue(Optional<String> account, String name) {}
}
