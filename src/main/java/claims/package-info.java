/**
 * Todos from the agents' side: the desk where claims park and are served together, the verbs that end an attempt, the
 * sweeps that take lapsed todos back and make waiting ones due, and the fan-out of wakes. Imports {@code model} and {@code pace}; its
 * statements run in {@code routes.DeskRoutes}.
 */
package claims;
