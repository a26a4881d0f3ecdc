package adapters;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import verify.FormBody;
import verify.Redaction;

/**
 * What an adapter hides beside what is always hidden.
 *
 * @param headers names in lower case
 * @param query names of parameters, in lower case
 * @param body places in a JSON body
 * @param stored whether the body is stored without them; else it is stored as sent and only shown so
 */
public record Redact(Set<String> headers, Set<String> query, List<BodyPath> body, boolean stored) {

    /** Hides nothing more. */
    public static final Redact NONE = new Redact(Set.of(), Set.of(), List.of(), false);

    private static final String PAYLOAD = "payload";

    static Redact read(RedactEntry entry, Boolean stored) {
        return entry == null
                ? NONE
                : new Redact(
                        lower(entry.headers()),
                        lower(entry.query()),
                        entry.body() == null
                                ? List.of()
                                : entry.body().stream().map(BodyPath::of).toList(),
                        Boolean.TRUE.equals(stored));
    }

    private static Set<String> lower(List<String> names) {
        return names == null
                ? Set.of()
                : names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /** Headers as they are stored. */
    public Map<String, String> headers(Map<String, String> sent) {
        return Redaction.headers(sent, headers, query);
    }

    /** JSON as it is shown. */
    public String json(String json) {
        return body.isEmpty() ? json : JsonText.without(json, body);
    }

    /**
     * The body without its hidden places: of JSON, and of a form's {@code payload} field that is JSON. Any other has no
     * such places.
     */
    public byte[] body(String contentType, byte[] sent) {
        if (body.isEmpty()) {
            return sent;
        }
        Optional<Map<String, List<String>>> form = FormBody.is(contentType) ? FormBody.fields(sent) : Optional.empty();
        if (form.isPresent()) {
            return form(form.get())
                    .map(text -> text.getBytes(StandardCharsets.UTF_8))
                    .orElse(sent);
        }
        return JsonText.text(sent)
                .map(json -> json(json).getBytes(StandardCharsets.UTF_8))
                .orElse(sent);
    }

    private Optional<String> form(Map<String, List<String>> fields) {
        return FormBody.payload(fields)
                .flatMap(JsonText::text)
                .map(json -> fields.entrySet().stream()
                        .flatMap(field -> field.getValue().stream()
                                .map(value -> encoded(field.getKey()) + "="
                                        + encoded(field.getKey().equals(PAYLOAD) ? json(json) : value)))
                        .collect(Collectors.joining("&")));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
