/**
 * Documents that stand elsewhere: certificates and sets of keys of providers, fetched over HTTPS and kept for a while.
 *
 * <p>Imports {@code verify} and {@code model}.
 */
package remote;
