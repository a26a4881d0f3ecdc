package adapters;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import verify.FormBody;

/** Bodies as agents get them inside todos: JSON, without what the adapter hides now. */
public final class PayloadView {

    private final AdapterRegistry registry;
    private final Map<String, Redact> bySource = new ConcurrentHashMap<>();

    /** @param registry what adapters.yaml declares decides what is hidden, also of events that came before it said so */
    public PayloadView(AdapterRegistry registry) {
        this.registry = registry;
    }

    /**
     * The body as JSON text, fit to be embedded in an answer: the body itself when it is JSON, the decoded {@code payload}
     * field of a form body when that is JSON, else empty. Exactly as sent (big numbers, repeated names and {@code \u0000}
     * included) but for the places that the adapter hides.
     *
     * @param source of the event
     * @param contentType as sent; may be null
     */
    public Optional<String> json(String source, String contentType, byte[] body) {
        Redact redact = bySource.computeIfAbsent(source, this::redact);
        return json(contentType, body).map(redact::json);
    }

    private Redact redact(String source) {
        return registry.declared().all().stream()
                .filter(adapter -> adapter.source().equals(source))
                .map(Adapter::redact)
                .findFirst()
                .orElse(Redact.NONE);
    }

    /** Exactly as sent. */
    static Optional<String> json(String contentType, byte[] body) {
        return FormBody.is(contentType) ? ofForm(body) : JsonText.text(body);
    }

    private static Optional<String> ofForm(byte[] body) {
        return FormBody.fields(body)
                .map(fields -> FormBody.payload(fields).flatMap(JsonText::text))
                // curl -d '{"a":1}' says "form" and sends JSON
                .orElseGet(() -> JsonText.text(body));
    }
}
