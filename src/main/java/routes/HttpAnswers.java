package routes;

import http.Json;
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

    static void bytes(Exchange exchange, int status, String contentType, byte[] body) {
        Message answer = exchange.getMessage();
        answer.removeHeaders("*");
        answer.setHeader(Exchange.HTTP_RESPONSE_CODE, status);
        answer.setHeader(Exchange.CONTENT_TYPE, contentType);
        answer.setBody(body);
    }
}
