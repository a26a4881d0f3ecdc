package verify;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.filter.FilteringParserDelegate;
import com.fasterxml.jackson.core.filter.JsonPointerBasedFilter;
import com.fasterxml.jackson.core.filter.TokenFilter.Inclusion;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A request while it is verified: what a scheme asks for is looked up when it asks, and a form is decoded once. */
final class Reading {

    /** More than any provider sends; a header stuffed with guesses is not read to its end. */
    static final int MAX_PARTS = 16;

    // names of a stranger's document are neither interned nor kept in a shared table
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private final Request request;
    private final List<String> signatureParts;
    private Map<String, List<String>> form;

    /** @param signatureParts what stands in the place of the signature, split */
    Reading(Request request, List<String> signatureParts) {
        this.request = request;
        this.signatureParts = signatureParts;
    }

    Request request() {
        return request;
    }

    /** The parts of the signature's place, at most {@link #MAX_PARTS}. */
    List<String> signatureParts() {
        return signatureParts;
    }

    /** The fields of a form body in the order sent; none of any other body. */
    Map<String, List<String>> form() {
        if (form == null) {
            form = FormBody.is(request.header("Content-Type"))
                    ? FormBody.fields(request.body()).orElse(Map.of())
                    : Map.of();
        }
        return form;
    }

    /** The text, number or truth value at that place of a JSON body; null when there is none. The body is not held as a tree. */
    String json(JsonPointer pointer) {
        try (JsonParser parser = new FilteringParserDelegate(
                JSON.createParser(request.body()),
                new JsonPointerBasedFilter(pointer),
                Inclusion.ONLY_INCLUDE_ALL,
                false)) {
            JsonToken token = parser.nextToken();
            return token == null || !token.isScalarValue() || token == JsonToken.VALUE_NULL ? null : parser.getText();
        } catch (IOException noJson) {
            return null;
        }
    }
}
