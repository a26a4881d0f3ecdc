package adapters;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import model.TrustMode;
import verify.ClosedVerifier;
import verify.Documents;

/**
 * Reads adapters.yaml: YAML, then the schema, then what a schema cannot say (names that must be unique, expressions
 * that must compile). Everything that is wrong is found in one go.
 */
public final class AdaptersFile {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();
    private static final String DEFAULT_RULE_MAX_BODY = "1MiB";
    private static final String DEFAULT_BODY_TIMEOUT = "10s";
    private static final long LARGEST_BODY = 64L << 20;
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);

    private final References references;
    private final Problems problems = new Problems();
    private final Map<String, JsonPointer> names = new HashMap<>();
    private final Map<String, JsonPointer> pulled = new HashMap<>();

    private AdaptersFile(References references) {
        this.references = references;
    }

    /**
     * @param environment looks up what {@code {{env:NAME}}} refers to; null for what is not set
     * @throws InvalidAdapters with everything that is wrong, each with its place
     */
    public static Adapters load(Path file, Function<String, String> environment) {
        return load(file, environment, Documents.NONE);
    }

    /**
     * @param documents where keys come from that stand elsewhere; asked when a delivery is verified, and not now
     * @see #load(Path, Function)
     */
    public static Adapters load(Path file, Function<String, String> environment, Documents documents) {
        Problems unreadable = new Problems();
        try {
            return parse(file.toString(), Files.readString(file), environment, documents);
        } catch (NoSuchFileException e) {
            unreadable.add(
                    "there is no such file; copy the sample adapters.yaml, or point SWITCHBOARD_ADAPTERS to yours");
        } catch (MalformedInputException e) {
            unreadable.add("it is not UTF-8");
        } catch (IOException e) {
            unreadable.add("it cannot be read (" + e.getClass().getSimpleName() + ")");
        }
        throw new InvalidAdapters(file.toString(), unreadable.inFileOrder());
    }

    /**
     * @param file how messages call the text
     * @throws InvalidAdapters with everything that is wrong, each with its place
     */
    public static Adapters parse(String file, String yaml, Function<String, String> environment) {
        return parse(file, yaml, environment, Documents.NONE);
    }

    private static Adapters parse(String file, String yaml, Function<String, String> environment, Documents documents) {
        References references = new References(environment, documents);
        AdaptersFile reading = new AdaptersFile(references);
        List<Adapters.Declared> adapters = reading.adapters(yaml);
        if (!reading.problems.isEmpty()) {
            throw new InvalidAdapters(file, reading.problems.inFileOrder());
        }
        return new Adapters(adapters, references);
    }

    private List<Adapters.Declared> adapters(String yaml) {
        Optional<JsonNode> document = YamlDocument.read(yaml, problems);
        if (document.isEmpty()) {
            return List.of();
        }
        SchemaCheck.check(document.get(), problems);

        List<Adapters.Declared> adapters = new ArrayList<>();
        JsonNode items = document.get().path("adapters");
        JsonPointer list = JsonPointer.empty().appendProperty("adapters");
        for (int i = 0; i < items.size(); i++) {
            JsonPointer place = list.appendIndex(i);
            entry(items.get(i))
                    .map(entry -> new Adapters.Declared(entry, adapter(entry, place)))
                    .ifPresent(adapters::add);
        }
        return adapters;
    }

    /** What the schema left of an item, typed; empty when not even its type is known. */
    private static Optional<AdapterEntry> entry(JsonNode item) {
        return AdapterType.of(item.path("type").asText()).map(type -> {
            try {
                return MAPPER.treeToValue(item, type.entry());
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("the schema lets pass what " + type.entry() + " cannot hold", e);
            }
        });
    }

    private Adapter adapter(AdapterEntry entry, JsonPointer place) {
        AdapterType type = AdapterType.of(entry.type()).orElseThrow();
        checkName(entry, place);
        AdapterEntry.Complaints complaints = new AdapterEntry.Complaints(place, problems);
        LimitsEntry.check(entry.limits(), entry.allow(), complaints);
        RedactEntry.check(entry.redact(), entry.redactStored(), complaints);
        entry.check(complaints);

        long maxBody = bytes(entry.maxBody(), place.appendProperty("max_body")).orElse(type.defaultMaxBody());
        long ruleMaxBody = bytes(entry.ruleMaxBody(), place.appendProperty("rule_max_body"))
                .orElse(Quantity.bytes(DEFAULT_RULE_MAX_BODY));
        Duration bodyTimeout = bodyTimeout(entry.bodyTimeout(), place.appendProperty("body_timeout"));
        // a placeholder never leaves: an item without a name is a problem, and a problem ends in an exception
        String name = entry.name() == null ? "unnamed" : entry.name();
        Rules rules = entry.todos() == null
                ? Rules.byDefault(name, type.defaultCondition(), ruleMaxBody)
                : Rules.read(entry.todos(), ruleMaxBody, place.appendProperty("todos"), problems);

        Redact redact = redact(entry);
        AdapterEntry.Gate gate = gate(entry, place);
        return new Adapter(
                Optional.ofNullable(entry.account()),
                name,
                type,
                type.source(name),
                type.family(),
                gate.verifier().trustMode(),
                gate.verifier(),
                gate.handshake(),
                maxBody,
                bodyTimeout,
                limits(entry),
                redact,
                rules.without(redact),
                entry.pull().map(pull -> pull(pull, place)),
                Optional.ofNullable(gate.offReason()));
    }

    private Pull pull(PullEntry entry, JsonPointer place) {
        JsonPointer key = place.appendProperty(entry.keyName());
        JsonPointer first = pulled.putIfAbsent(entry.place(), key);
        if (first != null) {
            problems.add(
                    key,
                    "the adapter in line %d reads the %s \"%s\" already; two would take each other's entries"
                            .formatted(problems.line(first), entry.keyName(), entry.key()));
        }
        return entry.read(place, problems);
    }

    private static Limits limits(AdapterEntry entry) {
        try {
            return LimitsEntry.read(entry.limits(), entry.allow());
        } catch (IllegalArgumentException saidAlready) {
            return Limits.NONE;
        }
    }

    private static Redact redact(AdapterEntry entry) {
        try {
            return Redact.read(entry.redact(), entry.redactStored());
        } catch (IllegalArgumentException saidAlready) {
            return Redact.NONE;
        }
    }

    /** Closed where the item's secret is of no use, which is a problem and ends in an exception. */
    private AdapterEntry.Gate gate(AdapterEntry entry, JsonPointer place) {
        try {
            return entry.gate(references);
        } catch (IllegalArgumentException unfit) {
            problems.add(place.appendProperty("secret"), "the secret " + unfit.getMessage());
            return new AdapterEntry.Gate(new ClosedVerifier("unfit", TrustMode.SIGNED), "its secret is of no use");
        }
    }

    private void checkName(AdapterEntry entry, JsonPointer place) {
        if (entry.name() == null) {
            return;
        }
        JsonPointer key = place.appendProperty("name");
        JsonPointer first = names.putIfAbsent(entry.name(), key);
        if (first != null) {
            problems.add(
                    key,
                    "the name \"%s\" is taken by the adapter in line %d; names are unique in the file"
                            .formatted(entry.name(), problems.line(first)));
        }
    }

    private Optional<Long> bytes(String written, JsonPointer place) {
        if (written == null) {
            return Optional.empty();
        }
        long bytes = Quantity.bytes(written);
        if (bytes > LARGEST_BODY) {
            problems.add(place, "\"" + written + "\" does not fit: 1 byte to 64MiB");
        }
        return Optional.of(bytes);
    }

    private Duration bodyTimeout(String written, JsonPointer place) {
        Duration timeout = Quantity.duration(written == null ? DEFAULT_BODY_TIMEOUT : written);
        if (timeout.compareTo(SHORTEST_TIMEOUT) < 0 || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            problems.add(place, "\"" + written + "\" does not fit: 100ms to 10m");
        }
        return timeout;
    }
}
