package http;

/**
 * Decides about a request before the first byte of its body is read.
 *
 * <p>Asked once for every request, also for those to paths that nobody serves, so that "still starting" is said before
 * "not found". Runs on the event loop: it looks things up in memory and never waits.
 */
@FunctionalInterface
public interface Doorman {
    /**
     * Lets the request in, with the limits of its path.
     *
     * @throws model.Refusal to answer at once, for example NOT_FOUND, STARTING, STOPPING or OVERLOADED
     */
    Admission admit(Approach approach);
}
