package routes;

import access.Right;
import adapters.Nearest;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import http.HttpCall;
import http.Json;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import model.Refusal;
import verify.Text;

/**
 * The JSON object in a request, read field by field. What is wrong with it is said all at once, also fields that nobody
 * asked for: read every field, then call {@link #refuseIfWrong}. A field that is {@code null} is an absent one.
 */
final class JsonRequest {
    private final JsonNode object;
    private final String prefix;
    private final List<FieldError> errors;
    private final Set<String> known = new LinkedHashSet<>();
    private final List<JsonRequest> inner = new ArrayList<>();

    private JsonRequest(JsonNode object, String prefix, List<FieldError> errors) {
        this.object = object;
        this.prefix = prefix;
        this.errors = errors;
    }

    /**
     * The body of a call; an empty one is an object without fields.
     *
     * @throws Refusal {@code invalid_json}, or {@code invalid_request} when it is no object
     */
    static JsonRequest of(HttpCall call) {
        JsonNode body = call.body().length == 0 ? JsonNodeFactory.instance.objectNode() : Json.read(call.body());
        if (!body.isObject()) {
            throw new Refusal(
                    Refusal.Code.INVALID_REQUEST,
                    "the body must be a JSON object, as in {\"limit\": 1} (invalid_request)");
        }
        return new JsonRequest(body, "", new ArrayList<>());
    }

    /** Text of 1 to {@code mostBytes} bytes in UTF-8; null when absent. */
    String text(String name, int mostBytes) {
        return read(name, "text of 1 to " + mostBytes + " bytes without NUL or halves of surrogate pairs", node -> {
            String text = node.isTextual() ? node.textValue() : "";
            return !text.isEmpty() && Text.isStorable(text) && bytes(text) <= mostBytes ? text : null;
        });
    }

    /** The name of a queue, agent or account: {@link Names}. */
    String requiredName(String name) {
        return required(name, read(name, Names.RULE, node -> Names.isOne(node) ? node.textValue() : null));
    }

    String requiredText(String name, int mostBytes) {
        return required(name, text(name, mostBytes));
    }

    /** A whole number within bounds; null when absent. */
    Integer whole(String name, int least, int most) {
        return read(
                name,
                "a whole number from " + least + " to " + most,
                node -> node.isIntegralNumber()
                                && node.canConvertToInt()
                                && node.intValue() >= least
                                && node.intValue() <= most
                        ? node.intValue()
                        : null);
    }

    int whole(String name, int least, int most, int standard) {
        Integer number = whole(name, least, most);
        return number == null ? standard : number;
    }

    int requiredWhole(String name, int least, int most) {
        Integer number = required(name, whole(name, least, most));
        return number == null ? least : number;
    }

    /** True or false; false when absent. */
    boolean flag(String name) {
        Boolean flag = flagOrNull(name);
        return flag != null && flag;
    }

    /** True or false; null when absent. */
    Boolean flagOrNull(String name) {
        return read(name, "true or false", node -> node.isBoolean() ? node.booleanValue() : null);
    }

    /** Any number within bounds. */
    double number(String name, double least, double most, double standard) {
        Double number = read(
                name,
                "a number from " + least + " to " + most,
                node -> node.isNumber() && node.doubleValue() >= least && node.doubleValue() <= most
                        ? node.doubleValue()
                        : null);
        return number == null ? standard : number;
    }

    /** One of these words. */
    String oneOf(String name, List<String> words, String standard) {
        String word = read(
                name,
                "one of " + String.join(", ", words),
                node -> node.isTextual() && words.contains(node.textValue()) ? node.textValue() : null);
        return word == null ? standard : word;
    }

    /** An object in the object; what is wrong with it is told with the rest. */
    Optional<JsonRequest> object(String name) {
        JsonRequest object = read(
                name, "an object", node -> node.isObject() ? new JsonRequest(node, prefix + name + ".", errors) : null);
        if (object != null) {
            inner.add(object);
        }
        return Optional.ofNullable(object);
    }

    /** Names of queues, each once; null when absent. */
    List<String> names(String name, int most) {
        return read(name, "a list of 1 to " + most + " names, each " + Names.RULE, node -> {
            List<String> names =
                    items(node).filter(Names::isOne).map(JsonNode::textValue).toList();
            return isList(node, most) && names.size() == node.size()
                    ? names.stream().distinct().toList()
                    : null;
        });
    }

    List<String> requiredNames(String name, int most) {
        return required(name, names(name, most));
    }

    /** What somebody may do, named singly or as groups, each once; null when absent. */
    List<Right> rights(String name) {
        int most = Right.words().size();
        return read(name, "a list of 1 to " + most + " of " + String.join(", ", Right.words()), node -> {
            List<List<Right>> named = items(node)
                    .map(item -> Right.named(item.isTextual() ? item.textValue() : ""))
                    .flatMap(Optional::stream)
                    .toList();
            return isList(node, most) && named.size() == node.size()
                    ? named.stream().flatMap(List::stream).distinct().toList()
                    : null;
        });
    }

    List<Right> requiredRights(String name) {
        return required(name, rights(name));
    }

    private static Stream<JsonNode> items(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    private static boolean isList(JsonNode node, int most) {
        return node.isArray() && !node.isEmpty() && node.size() <= most;
    }

    /** A time in RFC 3339, in UTC; null when absent. */
    OffsetDateTime time(String name) {
        return read(name, "a time as in 2026-01-31T12:00:00Z", node -> {
            try {
                OffsetDateTime time = OffsetDateTime.parse(node.asText()).withOffsetSameInstant(ZoneOffset.UTC);
                return node.isTextual() && time.getYear() >= 1970 && time.getYear() <= 9999 ? time : null;
            } catch (DateTimeException notOne) {
                return null;
            }
        });
    }

    /** A list of texts; empty when absent. */
    List<String> texts(String name, int most, int mostBytes) {
        List<String> texts =
                read(name, "a list of at most " + most + " texts of 1 to " + mostBytes + " bytes each", node -> {
                    List<String> read = items(node)
                            .filter(JsonNode::isTextual)
                            .map(JsonNode::textValue)
                            .filter(text -> !text.isEmpty() && Text.isStorable(text) && bytes(text) <= mostBytes)
                            .toList();
                    return node.isArray() && node.size() <= most && read.size() == node.size() ? read : null;
                });
        return texts == null ? List.of() : texts;
    }

    /** A list of 1 to {@code most} objects; what is wrong with them is told with the rest. */
    List<JsonRequest> requiredObjects(String name, int most) {
        List<JsonRequest> objects = read(name, "a list of 1 to " + most + " objects", node -> {
            boolean objectsOnly = items(node).allMatch(JsonNode::isObject);
            if (!node.isArray() || node.isEmpty() || node.size() > most || !objectsOnly) {
                return null;
            }
            List<JsonRequest> items = new ArrayList<>();
            for (JsonNode item : node) {
                items.add(new JsonRequest(item, prefix + name + "[" + items.size() + "].", errors));
            }
            return items;
        });
        List<JsonRequest> read = required(name, objects);
        if (read == null) {
            return List.of();
        }
        inner.addAll(read);
        return read;
    }

    /** Any JSON, as the request says it; null when absent. Whether it can be stored says {@link #whyUnstorable}. */
    JsonNode any(String name) {
        return read(name, "", node -> node);
    }

    /**
     * Why the database could not store this value as jsonb, or null: NUL characters, halves of surrogate pairs and numbers
     * out of range.
     */
    static String whyUnstorable(JsonNode node) {
        if (node.isTextual()) {
            return Text.isStorable(node.textValue()) ? null : "holds a NUL character or half a surrogate pair";
        }
        if (node.isDouble() && !Double.isFinite(node.doubleValue())) {
            return "holds a number that is out of range";
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (!Text.isStorable(field.getKey())) {
                return "holds a NUL character or half a surrogate pair in a name";
            }
        }
        for (JsonNode child : node) {
            String why = whyUnstorable(child);
            if (why != null) {
                return why;
            }
        }
        return null;
    }

    /** As JSON text. */
    static String json(JsonNode node) {
        try {
            return Json.mapper().writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Notes something that is wrong. */
    void wrong(String name, String message) {
        errors.add(error(name, message));
    }

    /** Call last: refuses when anything was wrong. */
    void refuseIfWrong() {
        noteUnknown();
        if (!errors.isEmpty()) {
            throw FieldError.refusal(errors);
        }
    }

    private void noteUnknown() {
        object.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                errors.add(error(
                        name,
                        "unknown field" + Nearest.hint(name, known) + " (known here: "
                                + (known.isEmpty() ? "none" : String.join(", ", known)) + ")"));
            }
        });
        inner.forEach(JsonRequest::noteUnknown);
    }

    private <T> T read(String name, String rule, Function<JsonNode, T> parse) {
        known.add(name);
        JsonNode node = object.get(name);
        if (node == null || node.isNull()) {
            return null;
        }
        T value = parse.apply(node);
        if (value == null) {
            errors.add(error(name, "must be " + rule));
        }
        return value;
    }

    private <T> T required(String name, T value) {
        JsonNode node = object.get(name);
        if (node == null || node.isNull()) {
            errors.add(error(name, "is required"));
        }
        return value;
    }

    private FieldError error(String name, String message) {
        return new FieldError(prefix + name, message);
    }
}
