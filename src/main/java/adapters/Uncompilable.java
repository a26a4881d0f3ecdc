package adapters;

/** An expression that adapters.yaml gets wrong; the message is for its author. */
final class Uncompilable extends Exception {
    private static final long serialVersionUID = 1L;

    Uncompilable(String message) {
        super(message);
    }
}
