/**
 * The promises of the hub, proven from outside: real HTTP, real PostgreSQL, and where something must die, real processes.
 * Imports {@code fixtures}, and {@code hub} to start one.
 */
package promises;
