package routes;

import http.Json;
import java.nio.charset.StandardCharsets;
import org.apache.camel.Exchange;
import org.apache.camel.Message;

/** Answers: JSON, with the status the route chose. */
final class HttpAnswers {
    private HttpAnswers() {}

    /** 200 and this as JSON. */
    static void ok(Exchange exchange, Object body) {
        json(exchange, 200, body);
    }

    static void json(Exchange exchange, int status, Object body) {
        bytes(exchange, status, "application/json", Json.bytes(body));
    }

    /** Plain text or what else the type says; without a type, no body. Never taken for a page. */
    static void text(Exchange exchange, int status, String contentType, String body) {
        Message answer = exchange.getMessage();
        answer.removeHeaders("*");
        answer.setHeader(Exchange.HTTP_RESPONSE_CODE, status);
        answer.setHeader("X-Content-Type-Options", "nosniff");
        if (contentType != null) {
            answer.setHeader(Exchange.CONTENT_TYPE, contentType);
        }
        answer.setBody(contentType == null ? null : body.getBytes(StandardCharsets.UTF_8));
    }

    static void bytes(Exchange exchange, int status, String contentType, byte[] body) {
        Message answer = exchange.getMessage();
        answer.removeHeaders("*");
        answer.setHeader(Exchange.HTTP_RESPONSE_CODE, status);
        answer.setHeader(Exchange.CONTENT_TYPE, contentType);
        answer.setBody(body);
    }
}
