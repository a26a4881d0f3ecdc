package adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import model.Refusal;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import verify.Request;
import verify.Verified;
import verify.Verifier;

/** What providers publish to test with is let in, byte for byte, and with any other byte refused. */
class VectorsTest {

    @TestFactory
    Stream<DynamicTest> publishedVectors() throws IOException {
        try (InputStream in = VectorsTest.class.getResourceAsStream("/verify/vectors.json")) {
            JsonNode vectors = new JsonMapper().readTree(in);
            return StreamSupport.stream(vectors.spliterator(), false)
                    .map(vector -> DynamicTest.dynamicTest(
                            vector.path("type").asText() + ", "
                                    + vector.path("source").asText(),
                            () -> check(vector)));
        }
    }

    private static void check(JsonNode vector) {
        Verifier verifier = AdaptersFile.parse(
                        "vector",
                        "adapters: [{name: it, type: " + vector.path("type").asText() + ", secret: \"{{env:S}}\"}]",
                        name -> vector.path("secret").asText())
                .webhook("it")
                .orElseThrow()
                .verifier();
        String body = vector.path("body").asText();

        Verified verified = verifier.verify(request(vector, body));

        assertThat(verified.verified()).isTrue();
        if (vector.has("id")) {
            assertThat(verified.externalId()).isEqualTo(vector.path("id").asText());
        }
        if (vector.has("event_type")) {
            assertThat(verified.eventType()).isEqualTo(vector.path("event_type").asText());
        }
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> verifier.verify(request(vector, body + "x")))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.SIGNATURE_MISMATCH));
    }

    private static Request request(JsonNode vector, String body) {
        Map<String, String> headers = new HashMap<>();
        vector.path("headers")
                .properties()
                .forEach(
                        header -> headers.put(header.getKey(), header.getValue().asText()));
        return new Request(
                "POST",
                vector.path("url").asText(),
                headers,
                name -> null,
                body.getBytes(StandardCharsets.UTF_8),
                Instant.parse(vector.path("now").asText()));
    }
}
