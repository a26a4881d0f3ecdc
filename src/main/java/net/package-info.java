/**
 * Who is at the other end of a connection: addresses, networks, and proxies that speak for others.
 *
 * <p>Imports nothing of the house. No I/O: names are not resolved.
 */
package net;
