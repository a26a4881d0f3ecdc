package adapters;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Where in a broker's entry something stands: {@code field:<name>}, a field beside the body, or {@code body:<JSON pointer>},
 * a place in the body.
 */
public final class Selector {

    private static final String FIELD = "field:";
    private static final String BODY = "body:";
    private static final JsonMapper JSON = new JsonMapper();

    private final String field;
    private final JsonPointer pointer;

    private Selector(String field, JsonPointer pointer) {
        this.field = field;
        this.pointer = pointer;
    }

    /** @param written as the schema lets it pass */
    static Selector of(String written) {
        return written.startsWith(FIELD)
                ? new Selector(written.substring(FIELD.length()), null)
                : new Selector(null, JsonPointer.compile(written.substring(BODY.length())));
    }

    /** The text or number that stands there; empty when there is none. */
    public Optional<String> in(Map<String, String> fields, byte[] body) {
        if (field != null) {
            return Optional.ofNullable(fields.get(field)).filter(text -> !text.isBlank());
        }
        try {
            JsonNode found = JSON.readTree(body).at(pointer);
            return found.isTextual() || found.isNumber()
                    ? Optional.of(found.asText()).filter(text -> !text.isBlank())
                    : Optional.empty();
        } catch (IOException noJson) {
            return Optional.empty();
        }
    }
}
