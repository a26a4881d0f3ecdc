/**
 * Who sent this, and is it what they sent: signature schemes, tokens, redaction and the cleaning of text.
 *
 * <p>Imports {@code model} only. No Camel types, no I/O, no clock: everything here is a function of the bytes it is
 * given.
 */
package verify;
