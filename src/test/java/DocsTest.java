import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import adapters.AdaptersFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import model.Refusal;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import routes.HttpRefusals;

/** What people read agrees with what is there: links lead somewhere, YAML is accepted, tables are the code's. */
@SuppressWarnings("DefaultPackage") // like ArchitectureTest: it is about the whole house
class DocsTest {
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]+]\\(([^)\\s]+)\\)");
    private static final Pattern CODE_BLOCK = Pattern.compile("^```.*?^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern YAML = Pattern.compile("^```yaml\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern HEADING = Pattern.compile("^#+ +(.+)$", Pattern.MULTILINE);
    private static final Set<String> NOT_OURS = Set.of("target", "data", ".git");

    static List<Path> pages() {
        try (Stream<Path> all = Files.walk(Path.of(""))) {
            return all.filter(path -> path.toString().endsWith(".md"))
                    .filter(path -> !NOT_OURS.contains(path.getName(0).toString()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void thePagesAreFound() {
        assertThat(pages()).contains(Path.of("README.md"), Path.of("docs/architecture.md"));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyRelativeLinkLeadsToAFileAndAHeadingThatExist(Path page) throws IOException {
        List<String> broken = new ArrayList<>();
        LINK.matcher(CODE_BLOCK.matcher(Files.readString(page)).replaceAll(""))
                .results()
                .map(match -> match.group(1))
                .filter(link -> !link.matches("[a-z]+:.*"))
                .filter(link -> !leadsSomewhere(page, link))
                .forEach(broken::add);

        assertThat(broken).as("links of " + page).isEmpty();
    }

    private static boolean leadsSomewhere(Path page, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
    }

    /** As GitHub makes them of headings. */
    private static Set<String> anchors(Path page) {
        try {
            Set<String> anchors = new TreeSet<>();
            HEADING.matcher(CODE_BLOCK.matcher(Files.readString(page)).replaceAll(""))
                    .results()
                    .map(match -> match.group(1).strip().toLowerCase(Locale.ROOT))
                    .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                    .forEach(anchors::add);
            return anchors;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<YamlBlock> yaml() throws IOException {
        List<YamlBlock> blocks = new ArrayList<>();
        for (Path page : pages()) {
            YAML.matcher(Files.readString(page))
                    .results()
                    .map(match -> match.group(1))
                    .forEach(text -> blocks.add(new YamlBlock(page, text)));
        }
        return blocks;
    }

    private record YamlBlock(Path page, String text) {
        boolean isAdapters() {
            return text.lines().anyMatch(line -> line.equals("adapters:"));
        }

        boolean isRoutes() {
            return text.lines().anyMatch(line -> line.startsWith("- "));
        }

        @Override
        public String toString() {
            return page + ": " + text.lines().limit(3).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("yaml")
    void everyYamlIsAcceptedByWhatReadsIt(YamlBlock block) {
        assertThat(block.isAdapters() ^ block.isRoutes())
                .as("adapters.yaml, or routes as in *.camel.yaml")
                .isTrue();
        if (block.isAdapters()) {
            assertThat(AdaptersFile.parse(block.page.toString(), block.text, name -> "set")
                            .all())
                    .isNotEmpty();
        } else {
            assertThatCode(() -> readRoutes(block.text)).doesNotThrowAnyException();
        }
    }

    /** In a context that never starts: routes are read, with components that the hub may not have. */
    private static void readRoutes(String yaml) throws Exception {
        try (CamelContext context = new DefaultCamelContext()) {
            context.build();
            PluginHelper.getRoutesLoader(context).loadRoutes(ResourceHelper.fromString("documented.camel.yaml", yaml));
        }
    }

    @Test
    void errorsHaveTheCodesAndStatusesOfTheCode() throws IOException {
        List<String> rows = Pattern.compile("^\\| `(\\w+)` \\| (\\d+) \\| [^|]+ \\| [^|]+ \\|$", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("docs/errors.md")))
                .results()
                .map(match -> match.group(1) + " " + match.group(2))
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(Refusal.Code.values())
                        .map(code -> code.word() + " " + HttpRefusals.STATUS.get(code))
                        .toList());
    }

    @Test
    void everyClassThatTheArchitectureNamesIsThere() throws IOException {
        List<String> named = Pattern.compile("`([a-z]+/[A-Z]\\w+)`")
                .matcher(Files.readString(Path.of("docs/architecture.md")))
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(named)
                .hasSizeGreaterThan(15)
                .allSatisfy(name ->
                        assertThat(Path.of("src/main/java", name + ".java")).exists());
    }

    @Test
    void everyDecisionIsNumberedAndNamedInTheArchitecture() throws IOException {
        String architecture = Files.readString(Path.of("docs/architecture.md"));
        try (Stream<Path> decisions = Files.list(Path.of("docs/decisions"))) {
            assertThat(decisions.map(path -> path.getFileName().toString()))
                    .isNotEmpty()
                    .allMatch(name -> name.matches("\\d{4}-[a-z-]+\\.md"))
                    .allSatisfy(name -> assertThat(architecture).contains("decisions/" + name));
        }
    }
}
