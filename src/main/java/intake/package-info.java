/**
 * From a verified delivery to its receipt: the component {@code intake:<adapter>}, the rules, the group commit and what
 * it does when the database refuses, stalls or vanishes. Imports {@code adapters} and {@code model}; the SQL of its one
 * transaction runs in {@code routes.IntakeRoute}.
 */
package intake;
