/** Accounts and credentials: who is calling. Imports {@code model} and {@code http}; its SQL runs in {@code routes}. */
package access;
