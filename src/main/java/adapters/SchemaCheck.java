package adapters;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import verify.Text;

/**
 * Holds a document against {@code adapters.schema.json}, the same file that editors use. The rules are the schema's;
 * the words come from its {@code description}s.
 */
final class SchemaCheck {

    /** On the class path; also what an editor is pointed to. */
    static final String SCHEMA = "/adapters.schema.json";

    private static final Set<String> SECRETS = Set.of("secret", "token", "verify_token");
    private static final int SHOWN_CODE_POINTS = 60;

    private static final JsonNode DEFINITION = definition();
    private static final Schema COMPILED = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(DEFINITION);

    private SchemaCheck() {}

    static JsonNode definition() {
        try (InputStream in = SchemaCheck.class.getResourceAsStream(SCHEMA)) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reports what the schema refuses and takes it out of the document, so that the rest can still be looked at. */
    static void check(JsonNode document, Problems problems) {
        List<JsonPointer> refused = new ArrayList<>();
        for (Error error : COMPILED.validate(document)) {
            JsonPointer place = JsonPointer.compile(error.getInstanceLocation().toString());
            if (error.getKeyword().equals("additionalProperties")) {
                place = place.appendProperty(error.getProperty());
            }
            problems.add(place, message(error, place));
            if (!error.getKeyword().equals("required")) {
                refused.add(place);
            }
        }
        refused.forEach(place -> remove(document, place));
    }

    private static String message(Error error, JsonPointer place) {
        JsonPointer keyword =
                JsonPointer.compile(error.getSchemaLocation().getFragment().toString());
        JsonNode rule = DEFINITION.at(keyword.head());
        return switch (error.getKeyword()) {
            case "additionalProperties" -> unknownKey(error.getProperty(), rule.path("properties"));
            case "required" -> "the key \"" + error.getProperty() + "\" is missing";
            case "enum" -> unknownWord(error, rule);
            default -> shown(error.getInstanceNode(), place) + " does not fit: " + described(error, rule);
        };
    }

    private static String unknownKey(String key, JsonNode known) {
        List<String> names = new ArrayList<>();
        known.fieldNames().forEachRemaining(names::add);
        return "unknown key \"%s\"%s (known here: %s)"
                .formatted(Problems.key(key), Nearest.hint(key, names), String.join(", ", names));
    }

    private static String unknownWord(Error error, JsonNode rule) {
        List<String> words = new ArrayList<>();
        rule.path("enum").forEach(word -> words.add(word.asText()));
        String given = error.getInstanceNode().asText();
        return "\"%s\" is not known here%s (known: %s): %s"
                .formatted(
                        Text.line(given, SHOWN_CODE_POINTS),
                        Nearest.hint(given, words),
                        String.join(", ", words),
                        rule.path("description").asText());
    }

    /** The rule in words, with the step that helps when YAML took text for something else. */
    private static String described(Error error, JsonNode rule) {
        String rules = rule.path("description").asText(error.getKeyword());
        JsonNode given = error.getInstanceNode();
        boolean wantsText = error.getKeyword().equals("type")
                && rule.path("type").toString().contains("string");
        return wantsText && !given.isNull() && !given.isArray() ? rules + ". Put the value in double quotes" : rules;
    }

    private static String shown(JsonNode given, JsonPointer place) {
        if (isOfSecret(place)) {
            return "this value";
        }
        if (given.isNull()) {
            return "an empty value";
        }
        if (given.isContainerNode()) {
            return given.isArray() ? "this list" : "this map";
        }
        return "\"" + Text.line(given.asText(), SHOWN_CODE_POINTS) + "\"";
    }

    /** Whether it stands under a key of secrets, at whatever depth. */
    private static boolean isOfSecret(JsonPointer place) {
        for (JsonPointer at = place; !at.matches(); at = at.tail()) {
            if (SECRETS.contains(at.getMatchingProperty())) {
                return true;
            }
        }
        return false;
    }

    private static void remove(JsonNode document, JsonPointer place) {
        JsonNode parent = place.head() == null ? null : document.at(place.head());
        if (parent instanceof ObjectNode object) {
            object.remove(place.last().getMatchingProperty());
        } else if (parent instanceof ArrayNode array) {
            // kept as a hole: the places of its neighbours must not move
            array.setNull(place.last().getMatchingIndex());
        }
    }
}
