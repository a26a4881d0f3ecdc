package hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GitHubSampleTest {
    /** GitHub's documentation, "Validating webhook deliveries". */
    @Test
    void itSignsAsGitHubDoes() {
        assertThat(GitHubSample.hmac("It's a Secret to Everybody", "Hello, World!".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17");
    }

    @ParameterizedTest
    @ValueSource(strings = {"push.json", "pull_request.opened.json", "issues.opened.json", "ping.json"})
    void everySampleComesWithTheHubAsItStandsInExamples(String name) throws Exception {
        byte[] example = Files.readAllBytes(Path.of("examples/github").resolve(name));

        try (InputStream packaged = GitHubSample.class.getResourceAsStream("/examples/github/" + name)) {
            assertThat(packaged).isNotNull();
            assertThat(packaged.readAllBytes()).isEqualTo(example);
        }
        JsonNode json = JsonMapper.builder().build().readTree(example);
        assertThat(json.path("repository").path("full_name").asText()).isEqualTo("harbour/lighthouse");
    }

    @Test
    void noExampleIsForgotten() throws Exception {
        try (var examples = Files.list(Path.of("examples/github"))) {
            List<String> names = examples.map(path -> path.getFileName().toString())
                    .filter(name -> name.endsWith(".json"))
                    .sorted()
                    .toList();

            assertThat(names)
                    .containsExactly("issues.opened.json", "ping.json", "pull_request.opened.json", "push.json");
        }
    }
}
