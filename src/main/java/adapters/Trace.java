package adapters;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Optional;

/**
 * What the rules did with a delivery, for whoever asks why a todo is or is not there:
 * {@code {"matched":["opened"],"faults":[{"rule":"2","code":"divide_by_zero"}],"stopped":"opened","payload":"json"}}.
 * Names of rules and codes only, so it is bounded and holds nothing of the sender.
 */
final class Trace {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final ArrayNode matched = JSON.arrayNode();
    private final ArrayNode faults = JSON.arrayNode();
    private String stopped;

    void matched(String rule) {
        matched.add(rule);
    }

    void stopped(String rule) {
        stopped = rule;
    }

    void faulted(String rule, String code) {
        faults.addObject().put("rule", rule).put("code", code);
    }

    boolean hasFaults() {
        return !faults.isEmpty();
    }

    /** @param payload what the body turned out to be; empty when no rule asked */
    String json(Optional<Payload.Form> payload) {
        ObjectNode trace = JSON.objectNode();
        trace.set("matched", matched);
        if (hasFaults()) {
            trace.set("faults", faults);
        }
        if (stopped != null) {
            trace.put("stopped", stopped);
        }
        payload.ifPresent(form -> trace.put("payload", form.name().toLowerCase(Locale.ROOT)));
        return trace.toString();
    }
}
