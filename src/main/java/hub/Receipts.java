package hub;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The door's answers in plain words. */
final class Receipts {
    private Receipts() {}

    /** {@code 202 event 1024, todo 0199… on reviews}. */
    static String described(HubClient.Answer answer) {
        List<String> todos = new ArrayList<>();
        for (JsonNode todo : answer.body().path("todos")) {
            todos.add("todo " + todo.path("id").asText() + " on "
                    + todo.path("queue").asText());
        }
        String event = "event " + answer.body().path("event_id").asText();
        String duplicate = answer.body().path("duplicate").asBoolean() ? " (a duplicate: nothing new was stored)" : "";
        return answer.status() + " " + event + duplicate + ", "
                + (todos.isEmpty() ? "no todo" : String.join(", ", todos));
    }
}
