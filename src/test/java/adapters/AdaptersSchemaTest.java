package adapters;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema and the Java types say the same, or an editor lies to an integrator. */
class AdaptersSchemaTest {

    private final JsonNode schema = SchemaCheck.definition();

    @Test
    void typesOfTheSchemaAreTheTypesOfTheCode() {
        List<String> words = new ArrayList<>();
        schema.at("/$defs/adapter/properties/type/enum").forEach(word -> words.add(word.asText()));

        assertThat(words)
                .containsExactlyElementsOf(
                        AdapterType.all().stream().map(AdapterType::word).toList());
    }

    @Test
    void everyTypeHasItsKeys() {
        List<String> words = new ArrayList<>();
        for (JsonNode branch : schema.at("/$defs/adapter/allOf")) {
            JsonNode type = branch.at("/if/properties/type");
            if (type.has("const")) {
                words.add(type.path("const").asText());
            }
            type.path("enum").forEach(word -> words.add(word.asText()));
        }

        assertThat(words)
                .containsExactlyElementsOf(
                        AdapterType.all().stream().map(AdapterType::word).toList());
    }

    @ParameterizedTest
    @MethodSource("types")
    void keysOfATypeAreTheComponentsOfItsRecord(AdapterType type) {
        assertThat(keys(schema.at("/$defs/" + definition(type))))
                .containsExactlyInAnyOrderElementsOf(components(type.entry()));
    }

    private static Stream<AdapterType> types() {
        return AdapterType.all().stream();
    }

    private static String definition(AdapterType type) {
        SchemeEntry scheme = Schemes.shipped().get(type.word());
        if (scheme == null) {
            return type.word();
        }
        return scheme.isProgram() ? scheme.program() : "provider";
    }

    @Test
    void keysOfLimitsAreTheComponentsOfTheirRecord() {
        assertThat(keys(schema.at("/$defs/limits"))).containsExactlyInAnyOrderElementsOf(components(LimitsEntry.class));
    }

    @Test
    void keysOfWhatIsHiddenAreTheComponentsOfTheirRecord() {
        assertThat(keys(schema.at("/$defs/redact"))).containsExactlyInAnyOrderElementsOf(components(RedactEntry.class));
    }

    @Test
    void keysOfARuleAreTheComponentsOfItsRecord() {
        assertThat(keys(schema.at("/$defs/rule"))).containsExactlyInAnyOrderElementsOf(components(RuleEntry.class));
    }

    @Test
    void everyKeyIsDescribedBecauseMessagesQuoteTheDescription() {
        for (String object : List.of(
                "adapter",
                "provider",
                "sns",
                "paypal",
                "jwt",
                "hmac",
                "secret_item",
                "limits",
                "redact",
                "generic",
                "route",
                "redis-stream",
                "redis-list",
                "redis-pubsub",
                "rule")) {
            JsonNode properties = schema.at("/$defs/" + object + "/properties");
            properties.properties().forEach(property -> {
                JsonNode rule = property.getValue();
                JsonNode described =
                        rule.has("$ref") ? schema.at(rule.get("$ref").asText().substring(1)) : rule;
                assertThat(rule.isBoolean() || described.has("description"))
                        .as(object + "." + property.getKey())
                        .isTrue();
            });
        }
    }

    private static List<String> keys(JsonNode object) {
        List<String> keys = new ArrayList<>();
        object.path("properties").fieldNames().forEachRemaining(keys::add);
        assertThat(object.path("additionalProperties").asBoolean(true)).isFalse();
        return keys;
    }

    private static List<String> components(Class<?> type) {
        PropertyNamingStrategies.SnakeCaseStrategy snake = new PropertyNamingStrategies.SnakeCaseStrategy();
        return Arrays.stream(type.getRecordComponents())
                .map(component -> snake.translate(component.getName()))
                .toList();
    }
}
