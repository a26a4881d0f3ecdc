package routes;

import java.util.List;
import model.Refusal;

/**
 * What is wrong with one field or parameter of a request.
 *
 * @param field its name; {@code todos[2].attempt} inside a list
 * @param message the rule that it breaks
 */
record FieldError(String field, String message) {

    /** Everything that is wrong at once: the first in words, all of them in {@code errors}. */
    static Refusal refusal(List<FieldError> errors) {
        FieldError first = errors.get(0);
        String more = errors.size() == 1 ? "" : "; see errors for all " + errors.size();
        return new Refusal(
                        Refusal.Code.INVALID_REQUEST, first.field + ": " + first.message + more + " (invalid_request)")
                .with("errors", errors);
    }

    Refusal refusal() {
        return refusal(List.of(this));
    }
}
