package http;

import model.Refusal;

/**
 * The only writer of refusals: what the engine refuses itself and what a route throws take the same words. Must not
 * block; called on the event loop and on workers.
 */
@FunctionalInterface
public interface RefusalWriter {
    Problem problem(Refusal refusal);

    /** What a failed route means to its caller: the refusal that it threw, INTERNAL for anything else. */
    default Refusal refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof Refusal refusal) {
                return refusal;
            }
        }
        return new Refusal(Refusal.Code.INTERNAL, "the hub failed on this request; its log says why", failure);
    }
}
