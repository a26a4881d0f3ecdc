package adapters;

/**
 * A rule that could not be worked out: a division by zero, a number compared with text, a budget used up. Carries a
 * code and never a value, because values are the sender's.
 */
final class Fault extends Exception {
    private static final long serialVersionUID = 1L;

    Fault(String code) {
        // no stack trace: faults are an answer, and hostile deliveries must not make them dear
        super(code, null, false, false);
    }

    String code() {
        return getMessage();
    }
}
