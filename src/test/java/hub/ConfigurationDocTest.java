package hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/configuration.md} says what {@link HubConfig} reads, no more and no less. */
class ConfigurationDocTest {
    private static final Path DOC = Path.of("docs/configuration.md");
    private static final Pattern VARIABLE = Pattern.compile("SWITCHBOARD_[A-Z_<>]*[A-Z]");

    @Test
    void everySettingHasItsRowWithUnitAndDefault() throws Exception {
        List<String> rows = Files.readAllLines(DOC).stream()
                .filter(line -> line.startsWith("| `SWITCHBOARD_"))
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(HubConfig.Key.values())
                        .map(key -> "| `" + key.variable() + "` | " + key.meaning() + " | " + key.unit() + " | "
                                + key.defaultText() + " |")
                        .toList());
    }

    @Test
    void noDocumentNamesASettingThatDoesNotExist() throws Exception {
        Set<String> known = Arrays.stream(HubConfig.Key.values())
                .map(HubConfig.Key::variable)
                .collect(Collectors.toSet());
        Set<String> named = new TreeSet<>();
        try (Stream<Path> docs = Files.walk(Path.of("docs"))) {
            for (Path doc : docs.filter(path -> path.toString().endsWith(".md")).toList()) {
                named.addAll(variables(doc));
            }
        }

        assertThat(named).contains("SWITCHBOARD_REDIS_<NAME>_URL").hasSizeGreaterThan(known.size() / 2);
        named.removeIf(variable -> variable.matches("SWITCHBOARD_REDIS_(<NAME>|[A-Z_]+)_URL"));
        assertThat(known).containsAll(named);
    }

    private static Set<String> variables(Path doc) throws IOException {
        Matcher matcher = VARIABLE.matcher(Files.readString(doc));
        Set<String> found = new TreeSet<>();
        while (matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }
}
