package adapters;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The providers that the hub knows by name: {@code verify/schemes.yaml}, read once. */
final class Schemes {

    private static final String TABLE = "/verify/schemes.yaml";

    private static final Map<String, SchemeEntry> SHIPPED = read();

    private Schemes() {}

    /** By the word that {@code type:} gives, in the order of the table. */
    static Map<String, SchemeEntry> shipped() {
        return SHIPPED;
    }

    private static Map<String, SchemeEntry> read() {
        JsonMapper mapper = JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .build();
        Problems problems = new Problems();
        Map<String, SchemeEntry> schemes = new LinkedHashMap<>();
        try (InputStream in = Schemes.class.getResourceAsStream(TABLE)) {
            String yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            JsonNode table = YamlDocument.read(yaml, problems).orElseThrow();
            for (Map.Entry<String, JsonNode> row : table.properties()) {
                schemes.put(row.getKey(), mapper.treeToValue(row.getValue(), SchemeEntry.class));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(TABLE + " cannot be read", e);
        }
        if (!problems.isEmpty()) {
            throw new IllegalStateException(TABLE + ": " + problems.inFileOrder());
        }
        return java.util.Collections.unmodifiableMap(schemes);
    }
}
