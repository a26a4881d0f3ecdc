package claims;

import model.Todo;

/**
 * A todo in its new owner's hands.
 *
 * @param todo without a payload when its own did not fit into the answer
 * @param contentType what the sender of its event said about the body; may be null
 * @param body its event's body, byte for byte; null when the todo has a payload of its own or the body did not fit
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes are the record; nobody compares claimed todos
public record ClaimedTodo(Todo todo, String contentType, byte[] body) {}
