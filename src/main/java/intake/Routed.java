package intake;

import java.util.List;
import model.Disposition;
import model.TodoDraft;

/**
 * What an adapter's rules made of a delivery.
 *
 * @param trace which rules matched and which failed, as JSON; may be null
 */
record Routed(Disposition disposition, List<TodoDraft> todos, String trace) {}
