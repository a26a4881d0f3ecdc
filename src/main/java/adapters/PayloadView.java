package adapters;

import java.util.Optional;
import verify.FormBody;

/** A body as agents get it inside a todo. */
public final class PayloadView {

    private PayloadView() {}

    /**
     * The body as JSON text, exactly as sent (big numbers, repeated names and {@code \u0000} included), fit to be
     * embedded in an answer: the body itself when it is JSON, the decoded {@code payload} field of a form body when
     * that is JSON, else empty.
     *
     * @param contentType as sent; may be null
     */
    public static Optional<String> json(String contentType, byte[] body) {
        return FormBody.is(contentType) ? ofForm(body) : JsonText.text(body);
    }

    private static Optional<String> ofForm(byte[] body) {
        return FormBody.fields(body)
                .map(fields -> FormBody.payload(fields).flatMap(JsonText::text))
                // curl -d '{"a":1}' says "form" and sends JSON
                .orElseGet(() -> JsonText.text(body));
    }
}
