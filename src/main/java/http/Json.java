package http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Date;
import model.Refusal;
import org.postgresql.util.PGobject;

/** JSON as the API reads and writes it: strict when reading, nulls written, so that a field is always there. */
public final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            // a result comes back with the digits that it was sent with
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .addModule(databaseTypes())
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS))
            .build();

    private Json() {}

    /** Rows of the database can be answered as they are: times as RFC 3339 in UTC, jsonb as the JSON that it is. */
    private static SimpleModule databaseTypes() {
        SimpleModule types = new SimpleModule("database-types");
        types.addSerializer(Date.class, new JsonSerializer<>() {
            @Override
            public void serialize(Date value, JsonGenerator out, SerializerProvider provider) throws IOException {
                out.writeString(value.toInstant().toString());
            }
        });
        types.addSerializer(Instant.class, new JsonSerializer<>() {
            @Override
            public void serialize(Instant value, JsonGenerator out, SerializerProvider provider) throws IOException {
                out.writeString(value.toString());
            }
        });
        types.addSerializer(PGobject.class, new JsonSerializer<>() {
            @Override
            public void serialize(PGobject value, JsonGenerator out, SerializerProvider provider) throws IOException {
                if (value.getValue() == null) {
                    out.writeNull();
                } else if (value.getType().startsWith("json")) {
                    out.writeRawValue(value.getValue());
                } else {
                    out.writeString(value.getValue());
                }
            }
        });
        return types;
    }

    /** The shared mapper, for callers that build trees. */
    public static ObjectMapper mapper() {
        return MAPPER;
    }

    /** Maps, lists, trees and simple values as UTF-8. */
    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same as text, for a jsonb parameter. */
    public static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a request body.
     *
     * @throws Refusal {@code invalid_json} when it is no JSON, has a key twice, or goes on after its end
     */
    public static JsonNode read(byte[] body) {
        try {
            return MAPPER.readTree(body);
        } catch (MismatchedInputException e) {
            throw new Refusal(
                    Refusal.Code.INVALID_JSON,
                    "the body is not valid JSON: it goes on after its end (invalid_json)",
                    e);
        } catch (JsonProcessingException e) {
            throw new Refusal(
                    Refusal.Code.INVALID_JSON,
                    "the body is not valid JSON: " + e.getOriginalMessage() + " (line "
                            + (e.getLocation() == null ? 1 : e.getLocation().getLineNr()) + ", invalid_json)",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
