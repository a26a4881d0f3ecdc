package adapters;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verify.Redaction;

/** What the pages say about adapters.yaml is what the hub accepts. */
class AdaptersDocsTest {

    private static final Path REFERENCE = Path.of("docs/adapters.md");
    private static final Path PROVIDERS = Path.of("docs/providers.md");
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @ValueSource(strings = {"docs/adapters.md", "docs/providers.md"})
    void everyYamlOnThePageIsAccepted(Path page) throws IOException {
        List<String> blocks = YAML.matcher(Files.readString(page))
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(blocks).hasSizeGreaterThan(1);
        for (String block : blocks) {
            assertThat(AdaptersFile.parse(page.toString(), block, name -> "set").all())
                    .isNotEmpty();
        }
    }

    @Test
    void everyKeyHasItsRow() throws IOException {
        List<String> rows = Pattern.compile("^\\| `(\\w+)` \\|", Pattern.MULTILINE)
                .matcher(Files.readString(REFERENCE))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();

        for (String object : List.of(
                "provider",
                "sns",
                "paypal",
                "jwt",
                "hmac",
                "generic",
                "route",
                "redis-stream",
                "redis-list",
                "redis-pubsub",
                "rule")) {
            JsonNode keys = SchemaCheck.definition().at("/$defs/" + object + "/properties");
            keys.fieldNames().forEachRemaining(key -> assertThat(rows).contains(key));
        }
        assertThat(rows).containsAll(Expression.VARIABLES);
    }

    @Test
    void everyMarkOfASecretIsListed() throws IOException {
        String page = Files.readString(PROVIDERS);

        assertThat(Redaction.FRAGMENTS).allSatisfy(mark -> assertThat(page).contains("`" + mark + "`"));
        assertThat(Redaction.WORDS).allSatisfy(word -> assertThat(page).contains("`" + word + "`"));
    }
}
