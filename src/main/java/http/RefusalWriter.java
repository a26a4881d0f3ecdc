package http;

import model.Refusal;

/**
 * The only writer of refusals: what the engine refuses itself and what a route throws take the same words. Must not
 * block; called on the event loop and on workers.
 */
@FunctionalInterface
public interface RefusalWriter {
    Problem problem(Refusal refusal);
}
