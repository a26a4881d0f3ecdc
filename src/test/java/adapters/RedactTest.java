package adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an adapter hides is hidden everywhere but in what it says nothing of. */
class RedactTest {
    private static Redact hiding(String... places) {
        return Redact.read(new RedactEntry(null, null, List.of(places)), null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/a | {\"a\": 1, \"b\": 2} | {\"a\":\"«redacted»\",\"b\":2}",
                "/a/b | {\"a\": {\"b\": [1, {\"c\": 2}], \"d\": 3}} | {\"a\":{\"b\":\"«redacted»\",\"d\":3}}",
                "/items/*/iban | {\"items\": [{\"iban\": 1}, {\"x\": 2}, {\"iban\": null}]} | {\"items\":[{\"iban\":\"«redacted»\"},{\"x\":2},{\"iban\":\"«redacted»\"}]}",
                "/items/1 | {\"items\": [1, 2, 3]} | {\"items\":[1,\"«redacted»\",3]}",
                "/*/b | {\"a\": {\"b\": 1}, \"c\": {\"b\": 2}, \"d\": 4} | {\"a\":{\"b\":\"«redacted»\"},\"c\":{\"b\":\"«redacted»\"},\"d\":4}",
                "/a~1b/c~0d | {\"a/b\": {\"c~d\": 1}} | {\"a/b\":{\"c~d\":\"«redacted»\"}}",
                "/a | {\"a\": 1, \"a\": 2} | {\"a\":\"«redacted»\",\"a\":\"«redacted»\"}",
                "/1 | [[1], [2]] | [[1],\"«redacted»\"]",
                "/a | 7 | 7"
            })
    void placesAreReplacedWhateverStandsThere(String place, String json, String hidden) {
        assertThat(unescaped(hiding(place).json(json))).isEqualTo(hidden);
    }

    /** Written as ASCII with escapes, which is the same JSON. */
    private static String unescaped(String json) {
        return json.replace("\\u00AB", "«").replace("\\u00BB", "»");
    }

    @Test
    void allElseKeepsItsDigitsItsNamesAndItsHalves() throws Exception {
        String json =
                "{\"n\":12345678901234567890.10,\"e\":1E400,\"h\":\"\\ud83d\",\"z\":\"\\u0000\",\"ü\":\"🚀\",\"a\":1}";

        String hidden = hiding("/a").json(json);

        assertThat(hidden).contains("\"n\":12345678901234567890.10", "\"e\":1E400");
        JsonMapper mapper = new JsonMapper();
        assertThat(mapper.readTree(hidden).path("h").asText()).isEqualTo("\ud83d");
        assertThat(mapper.readTree(hidden).path("z").asText()).isEqualTo("\u0000");
        assertThat(mapper.readTree(hidden).path("ü").asText()).isEqualTo("🚀");
    }

    @Test
    void formsAndOtherBodies() {
        Redact redact = hiding("/card");
        byte[] other = {0, 1, 2};

        String form = new String(
                redact.body(
                        "application/x-www-form-urlencoded",
                        "x=1&payload=%7B%22card%22%3A42%7D".getBytes(StandardCharsets.UTF_8)),
                StandardCharsets.UTF_8);

        assertThat(form).startsWith("x=1&payload=%7B%22card%22%3A%22").doesNotContain("42");
        assertThat(redact.body("application/octet-stream", other)).isSameAs(other);
        assertThat(Redact.NONE.body("application/json", other)).isSameAs(other);
    }

    @Test
    void headersAndParametersOfItsOwnAreHiddenInAnyCase() {
        Redact redact = Redact.read(new RedactEntry(List.of("X-Customer"), List.of("Hint"), null), null);

        assertThat(redact.headers(Map.of("x-customer", "ada", "Referer", "https://x/?hint=1&b=2", "x-token", "t")))
                .containsEntry("x-customer", "«redacted»")
                .containsEntry("referer", "https://x/?hint=«redacted»&b=2")
                .containsEntry("x-token", "«redacted»");
        assertThat(redact.headers()).isEqualTo(Set.of("x-customer"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"card", "/", "$.card", "/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21"})
    void whatIsNoPlaceIsNamedAtStart(String place) {
        assertThatExceptionOfType(InvalidAdapters.class)
                .isThrownBy(() -> AdaptersFile.parse(
                        "test",
                        "adapters: [{name: a, type: github, secret: s, redact: {body: [\"" + place + "\"]}}]",
                        name -> null))
                .withMessageContaining(place);
    }

    @Test
    void storingWithoutNamingPlacesIsAMistake() {
        assertThatExceptionOfType(InvalidAdapters.class)
                .isThrownBy(() -> AdaptersFile.parse(
                        "test", "adapters: [{name: a, type: github, secret: s, redact_stored: true}]", name -> null))
                .withMessageContaining("redact_stored");
    }
}
