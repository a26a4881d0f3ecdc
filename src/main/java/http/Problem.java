package http;

import java.util.Map;

/**
 * A refusal in the form of RFC 9457. The engine adds what only it knows: {@code Allow} to a 405, {@code Connection:
 * close} where the connection ends, {@code Retry-After: 1} to a 503 that names no other time, and
 * {@code Content-Type: application/problem+json} where no other type is given. A HEAD request gets the head alone.
 *
 * @param status 400..599
 * @param headers names in any case
 * @param body JSON, UTF-8
 */
@SuppressWarnings("ArrayRecordComponent") // written once and never compared
public record Problem(int status, Map<String, String> headers, byte[] body) {}
