package http;

import java.util.function.UnaryOperator;

/**
 * A request whose head has come and whose body has not been looked at.
 *
 * @param method as sent, for example {@code POST}
 * @param path normalised, without a trailing slash; reserved characters stay percent-encoded
 * @param target path and query exactly as sent
 * @param peer the IP address at the other end of the connection, without a port or a zone
 * @param header looks up a header in any case, values of a repeated one joined by a comma; null when it was not sent
 */
public record Approach(String method, String path, String target, String peer, UnaryOperator<String> header) {}
