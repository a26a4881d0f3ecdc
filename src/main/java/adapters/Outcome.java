package adapters;

import java.util.List;
import model.Disposition;
import model.TodoDraft;

/**
 * What the rules made of a delivery.
 *
 * @param disposition faulted when any rule failed, else routed when there are todos, else stored
 * @param todos in the order of the rules
 * @param traceJson which rules matched, which faulted, and what the body was taken for, as a JSON object of at most
 *     16 KiB; holds nothing of the payload
 */
public record Outcome(Disposition disposition, List<TodoDraft> todos, String traceJson) {}
