package redis;

import static org.assertj.core.api.Assertions.assertThat;

import fixtures.StoppableRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every script says what it does, what it takes and what it returns; is used; and Redis understands it. */
class ScriptsTest {
    private static final Path ROOT = Path.of("src/main/resources/redis");
    private static final Pattern TAKEN = Pattern.compile("\\b(KEYS|ARGV)\\[(\\d)]");
    private static final Pattern USED = Pattern.compile("Script\\.named\\(\"([^\"]+)\"\\)");

    @AutoClose
    private static final StoppableRedis REDIS = StoppableRedis.started();

    static List<String> scripts() {
        return paths(ROOT)
                .map(file -> ROOT.relativize(file).toString().replace(".lua", ""))
                .toList();
    }

    private static Stream<Path> paths(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void headerSaysWhatItDoesWhatItTakesAndWhatItReturns(String name) throws IOException {
        String text = Files.readString(ROOT.resolve(name + ".lua"));
        String header = text.lines().takeWhile(line -> line.startsWith("--")).collect(Collectors.joining("\n"));
        String code = text.substring(header.length());

        assertThat(header).matches(Pattern.compile("-- [A-Z].*\\bReturns .*", Pattern.DOTALL));
        assertThat(TAKEN.matcher(code).results().map(MatchResult::group))
                .isNotEmpty()
                .allSatisfy(taken -> assertThat(header).contains(taken));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void redisUnderstandsIt(String name) throws IOException {
        assertThat((String) REDIS.ask("SCRIPT", "LOAD", Files.readString(ROOT.resolve(name + ".lua"))))
                .hasSize(40);
    }

    @Test
    void everyScriptIsUsedAndEveryUseFindsItsScript() {
        Set<String> used = new TreeSet<>();
        paths(Path.of("src/main/java/redis")).forEach(source -> used.addAll(names(source)));

        assertThat(scripts()).containsExactlyElementsOf(used);
    }

    private static List<String> names(Path source) {
        try {
            return USED.matcher(Files.readString(source))
                    .results()
                    .map(use -> use.group(1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
