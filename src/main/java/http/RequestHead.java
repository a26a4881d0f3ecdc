package http;

import io.netty.handler.codec.http.HttpMessageDecoderResult;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Map;
import model.Refusal;

/**
 * What the first lines of a request say about it, checked: a request whose length can be read in two ways is refused here.
 *
 * @param path normalised, without a trailing slash
 * @param target path and query exactly as sent
 * @param length bytes announced; {@link #UNKNOWN} when only the end of the body tells
 * @param awaitsContinue the client sends its body only after "100 Continue"
 */
record RequestHead(
        String method, String path, String target, String remoteAddress, long length, boolean awaitsContinue) {
    static final long UNKNOWN = -1;

    /**
     * Reads the head.
     *
     * @throws Refusal INVALID_REQUEST
     */
    static RequestHead of(HttpServerRequest request, String normalizedPath) {
        return new RequestHead(
                request.method().name(),
                withoutTrailingSlash(normalizedPath),
                request.query() == null ? request.path() : request.path() + "?" + request.query(),
                request.remoteAddress().hostAddress().split("%", 2)[0],
                length(request),
                "100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT)));
    }

    boolean hasBody() {
        return length != 0;
    }

    static String withoutTrailingSlash(String path) {
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static long length(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            String announced = request.getHeader(HttpHeaders.CONTENT_LENGTH);
            if (announced != null) {
                return parsed(announced);
            }
            return request.isEnded() ? 0 : UNKNOWN;
        }
        List<String> encodings = request.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
        if (!encodings.isEmpty()) {
            if (encodings.size() != 1
                    || !"chunked".equalsIgnoreCase(encodings.get(0).strip())) {
                throw invalid("Transfer-Encoding must be chunked and nothing else");
            }
            if (request.headers().contains(HttpHeaders.CONTENT_LENGTH) || contentLengthWasDropped(request)) {
                throw invalid("Content-Length and Transfer-Encoding must not be sent together");
            }
            return UNKNOWN;
        }
        String announced = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return announced == null ? 0 : parsed(announced);
    }

    private static long parsed(String announced) {
        try {
            long length = Long.parseLong(announced.strip());
            if (length >= 0) {
                return length;
            }
        } catch (NumberFormatException notANumber) {
            // said below
        }
        throw invalid("Content-Length must be one number");
    }

    /**
     * Whether the decoder removed a Content-Length: netty drops it silently beside a chunked encoding (RFC 9112 section
     * 6.3 lets the encoding win). The decoder still says how many bytes of header lines it read, and lines in their usual
     * form, {@code Name: value}, explain no more bytes than are left.
     */
    private static boolean contentLengthWasDropped(HttpServerRequest request) {
        if (!(request.decoderResult() instanceof HttpMessageDecoderResult decoded)) {
            return false;
        }
        int explained = 0;
        for (Map.Entry<String, String> header : request.headers()) {
            explained +=
                    header.getKey().length() + ": ".length() + header.getValue().length();
        }
        return decoded.headerSize() > explained;
    }

    private static Refusal invalid(String rule) {
        return new Refusal(Refusal.Code.INVALID_REQUEST, rule);
    }
}
