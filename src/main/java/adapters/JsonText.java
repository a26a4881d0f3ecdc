package adapters;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.cel.common.values.NullValue;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verify.Redaction;

/**
 * Bodies that are one JSON value (RFC 8259: UTF-8; a byte order mark is forgiven). Hostile JSON meets limits on depth
 * and on the length of numbers and is then simply no JSON.
 */
final class JsonText {

    private static final int MAX_DEPTH = 200;
    private static final int MAX_NUMBER_LENGTH = 400;

    // names of hostile documents are neither interned nor kept in a shared table
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(MAX_NUMBER_LENGTH)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    // half a surrogate pair is no character, so it stays an escape
    private static final JsonFactory WRITER =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private JsonText() {}

    /** The bytes as text that was found to be JSON, or empty when it is none. */
    static Optional<String> text(byte[] bytes) {
        return utf8(bytes).filter(text -> parsed(text, JsonText::skipped).isPresent());
    }

    /**
     * The JSON with {@code «redacted»} in these places, whatever stood there. All else keeps its order, its repeated names
     * and the digits of its numbers; white space between values goes.
     */
    static String without(String json, List<BodyPath> places) {
        StringWriter out = new StringWriter(json.length());
        Deque<Object> way = new ArrayDeque<>();
        try (JsonParser parser = FACTORY.createParser(json);
                JsonGenerator generator = WRITER.createGenerator(out)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                copy(parser, token, generator, way, places);
            }
        } catch (IOException e) {
            throw new IllegalStateException("it was JSON a moment ago", e);
        }
        return out.toString();
    }

    private static void copy(
            JsonParser parser, JsonToken token, JsonGenerator generator, Deque<Object> way, List<BodyPath> places)
            throws IOException {
        if (token == JsonToken.FIELD_NAME) {
            way.pollLast();
            way.addLast(parser.currentName());
            generator.writeFieldName(parser.currentName());
            return;
        }
        if (token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY) {
            way.pollLast();
            generator.copyCurrentEvent(parser);
            return;
        }
        if (way.peekLast() instanceof Integer element) {
            way.pollLast();
            way.addLast(element + 1);
        }
        List<String> here = way.stream().map(String::valueOf).toList();
        if (places.stream().anyMatch(place -> place.matches(here))) {
            parser.skipChildren();
            generator.writeString(Redaction.REDACTED);
            return;
        }
        if (token.isNumeric()) {
            // digit for digit
            generator.writeNumber(parser.getText());
        } else {
            generator.copyCurrentEvent(parser);
        }
        if (token == JsonToken.START_OBJECT) {
            way.addLast("");
        } else if (token == JsonToken.START_ARRAY) {
            way.addLast(-1);
        }
    }

    /** The value in the types that CEL compares without surprises, or empty when the bytes are no JSON. */
    static Optional<Object> celValue(byte[] bytes) {
        return utf8(bytes).flatMap(text -> parsed(text, JsonText::celValue));
    }

    private interface Reading {
        Object value(JsonParser parser) throws IOException;
    }

    /** What the reading makes of the one value that the text is, or empty when it is anything else. */
    private static Optional<Object> parsed(String text, Reading reading) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                return Optional.empty();
            }
            Object value = reading.value(parser);
            return parser.nextToken() == null ? Optional.of(value) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Reads to the value's end and keeps nothing. */
    private static Object skipped(JsonParser parser) throws IOException {
        parser.skipChildren();
        // a scalar is read lazily: only this notices a broken one
        parser.finishToken();
        return true;
    }

    private static Optional<String> utf8(byte[] bytes) {
        if (bytes.length == 0) {
            return Optional.empty();
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return Optional.of(text.charAt(0) == '\uFEFF' ? text.substring(1) : text);
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** Not Jackson's binding: to CEL an Integer has no overloads, a Java null is an unknown, a BigInteger a stranger. */
    private static Object celValue(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, celValue(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(celValue(parser));
                }
                yield array;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? (Object) parser.getDoubleValue()
                        : (Object) parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> NullValue.NULL_VALUE;
        };
    }
}
