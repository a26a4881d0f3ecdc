package redis;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What of a stream's entry is its body: {@code entry}, all fields as one JSON object, or {@code field:<name>}. */
final class Body {
    private static final String ENTRY = "entry";
    private static final String FIELD = "field:";
    private static final JsonFactory JSON = new JsonFactory();

    private final String field;

    private Body(String field) {
        this.field = field;
    }

    /** @throws IllegalArgumentException when it is neither */
    static Body of(String option) {
        if (option.equals(ENTRY)) {
            return new Body(null);
        }
        if (option.startsWith(FIELD) && option.length() > FIELD.length()) {
            return new Body(option.substring(FIELD.length()));
        }
        throw new IllegalArgumentException("body is entry or field:<name>, not " + option);
    }

    /** Says why an entry has no such body. */
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(String reason) {
            super(reason);
        }
    }

    byte[] in(Entry entry) throws Unreadable {
        if (field != null) {
            return entry.field(field).orElseThrow(() -> new Unreadable("the entry has no field " + field));
        }
        return object(entry);
    }

    /** Whether the body is JSON by its making. */
    boolean isJson() {
        return field == null;
    }

    private static byte[] object(Entry entry) throws Unreadable {
        List<byte[]> parts = entry.parts();
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i < parts.size(); i += 2) {
            Optional<String> name = Entry.text(parts.get(i));
            Optional<String> value = Entry.text(parts.get(i + 1));
            if (name.isEmpty() || value.isEmpty()) {
                throw new Unreadable("the entry has a field that is no UTF-8; body: field:<name> takes any bytes");
            }
            if (fields.put(name.get(), value.get()) != null) {
                throw new Unreadable("the entry has two fields of one name");
            }
        }
        return json(out -> {
            out.writeStartObject();
            for (Map.Entry<String, String> named : entry.texts().entrySet()) {
                out.writeStringField(named.getKey(), named.getValue());
            }
            out.writeEndObject();
        });
    }

    /** All of an entry, whatever is in it: {@code {"fields": [["name", "value"], [{"base64": "…"}, "value"]]}}. */
    static byte[] everything(Entry entry) {
        return json(out -> {
            out.writeStartObject();
            out.writeArrayFieldStart("fields");
            for (int i = 0; i < entry.parts().size(); i += 2) {
                out.writeStartArray();
                write(out, entry.parts().get(i));
                write(out, entry.parts().get(i + 1));
                out.writeEndArray();
            }
            out.writeEndArray();
            out.writeEndObject();
        });
    }

    private static void write(JsonGenerator out, byte[] bytes) throws IOException {
        Optional<String> text = Entry.text(bytes);
        if (text.isPresent()) {
            out.writeString(text.get());
        } else {
            out.writeStartObject();
            out.writeBinaryField("base64", bytes);
            out.writeEndObject();
        }
    }

    private interface Writing {
        void to(JsonGenerator out) throws IOException;
    }

    private static byte[] json(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            writing.to(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
