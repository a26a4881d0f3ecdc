package verify;

import java.util.Optional;

/**
 * What a provider asks before or instead of delivering, and what its protocol wants to hear. Nothing of it is stored. One
 * instance serves all threads.
 */
public interface Handshake {

    /** For providers that ask nothing. */
    Handshake NONE = new Handshake() {};

    /**
     * The answer.
     *
     * @param contentType null for an answer without a body
     * @param body as text; empty for none
     */
    record Answer(int status, String contentType, String body) {
        static Answer json(String body) {
            return new Answer(200, "application/json", body);
        }

        /** Plain whatever the text is: nothing of it may become a page. */
        static Answer text(String body) {
            return new Answer(200, "text/plain", body);
        }

        static Answer empty(int status) {
            return new Answer(status, null, "");
        }
    }

    /**
     * The answer to a question that the protocol does not sign; empty when the request is no such question.
     *
     * @throws model.Refusal where the question carries a token, and it is not the right one
     */
    default Optional<Answer> unsigned(Request request) {
        return Optional.empty();
    }

    /** The answer to a question that was verified like a delivery; empty when the request is a delivery. */
    default Optional<Answer> signed(Request request) {
        return Optional.empty();
    }
}
