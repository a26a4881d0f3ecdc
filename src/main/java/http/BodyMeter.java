package http;

/**
 * The budget that one request's body is charged to. Bytes are taken as they arrive and never by the announced
 * Content-Length: fifty senders that announce 25 MiB and send nothing take nothing from others.
 */
public interface BodyMeter {
    /** For requests whose bodies are not worth counting. */
    BodyMeter UNMETERED = new BodyMeter() {
        @Override
        public boolean take(int bytes) {
            return true;
        }

        @Override
        public void giveBack() {
            // nothing was taken
        }
    };

    /** Takes bytes that arrived; false refuses the request with OVERLOADED. Called on the event loop. */
    boolean take(int bytes);

    /**
     * Gives back all that was taken. Called exactly once for every admission, on any thread: when the exchange is
     * finished, when the request is refused, or when the client vanishes while it sends.
     */
    void giveBack();
}
