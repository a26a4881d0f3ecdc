package adapters;

import dev.cel.common.values.NullValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verify.FormBody;

/**
 * A body as rules see it.
 *
 * @param form what the body turned out to be
 * @param value the value in CEL's own types; CEL's null when there is none
 */
record Payload(Form form, Object value) {

    /** What a body can be to a rule. */
    enum Form {
        JSON,
        FORM,
        ABSENT,
        TOO_LARGE
    }

    static final Payload ABSENT = new Payload(Form.ABSENT, NullValue.NULL_VALUE);
    static final Payload TOO_LARGE = new Payload(Form.TOO_LARGE, NullValue.NULL_VALUE);

    /**
     * JSON whatever the content type says, for senders get that wrong; of a form the decoded {@code payload} field
     * where that is JSON, else its fields. Anything else is absent, and never a fault.
     */
    static Payload of(String contentType, byte[] body) {
        if (FormBody.is(contentType)) {
            Optional<Payload> form = FormBody.fields(body).map(Payload::ofForm);
            // curl -d '{"a":1}' says "form" and sends JSON
            return form.or(() -> ofJson(body)).orElse(ABSENT);
        }
        return ofJson(body).orElse(ABSENT);
    }

    boolean isAbsent() {
        return form == Form.ABSENT || form == Form.TOO_LARGE;
    }

    private static Optional<Payload> ofJson(byte[] body) {
        return JsonText.celValue(body).map(value -> new Payload(Form.JSON, value));
    }

    private static Payload ofForm(Map<String, List<String>> fields) {
        Optional<Object> payload = FormBody.payload(fields).flatMap(JsonText::celValue);
        if (payload.isPresent()) {
            return new Payload(Form.FORM, payload.get());
        }
        Map<String, Object> values = new LinkedHashMap<>();
        fields.forEach((name, all) -> values.put(name, all.size() == 1 ? all.get(0) : all));
        return new Payload(Form.FORM, values);
    }
}
