package adapters;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import verify.Documents;

/**
 * The adapters that adapters.yaml declares, on or off: an immutable value, replaced as a whole. What was switched on
 * or off at run time is not in here.
 */
public final class Adapters {

    private final Map<String, Declared> byName = new LinkedHashMap<>();
    private final References references;

    /** An item of the file, as it is written and ready to use. */
    record Declared(AdapterEntry entry, Adapter adapter) {}

    Adapters(Collection<Declared> declared, References references) {
        declared.forEach(one -> byName.put(one.adapter.name(), one));
        this.references = references;
    }

    /** A hub without adapters. */
    public static Adapters none() {
        return new Adapters(List.of(), new References(name -> null, Documents.NONE));
    }

    /** The adapter behind {@code POST /webhooks/{name}}. */
    public Optional<Adapter> webhook(String name) {
        return at(name, AdapterType.Entrance.WEBHOOK);
    }

    /** The adapter behind {@code POST /webhooks/generic/{name}}. */
    public Optional<Adapter> generic(String name) {
        return at(name, AdapterType.Entrance.GENERIC);
    }

    /** The adapter behind {@code intake:<name>}, whatever its type. */
    public Optional<Adapter> named(String name) {
        return Optional.ofNullable(byName.get(name)).map(Declared::adapter);
    }

    private Optional<Adapter> at(String name, AdapterType.Entrance entrance) {
        return named(name).filter(adapter -> adapter.type().entrance() == entrance);
    }

    /** The files that secrets were read from, there or not. */
    public Set<Path> secretFiles() {
        return references.files();
    }

    /**
     * The same adapters with their secrets read again. One whose secret is of no use any more keeps the former.
     *
     * @param complaint told the adapter's name and what is wrong with its secret
     */
    public Adapters withSecretsReadAgain(BiConsumer<String, String> complaint) {
        List<Declared> again = new ArrayList<>();
        for (Declared declared : byName.values()) {
            Adapter adapter = declared.adapter;
            try {
                adapter = adapter.behind(declared.entry.gate(references));
            } catch (IllegalArgumentException unfit) {
                complaint.accept(adapter.name(), unfit.getMessage());
            }
            again.add(new Declared(declared.entry, adapter));
        }
        return new Adapters(again, references);
    }

    /** All of them, in the order of the file. */
    public List<Adapter> all() {
        return byName.values().stream().map(Declared::adapter).toList();
    }

    /** Every queue that a rule can reach, each once, so that its row can be made before the first todo. */
    public List<Queue> queues() {
        return all().stream()
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
