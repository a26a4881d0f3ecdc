package routes;

import adapters.Adapter;
import adapters.AdapterRegistry;
import adapters.Pull;
import intake.SentHeaders;
import java.time.Instant;
import java.util.Map;
import model.Delivery;
import model.TrustMode;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import redis.RedisHeaders;

/**
 * What the door of a broker's adapter does: makes the delivery of what was read. What is trusted is the connection, so
 * nothing is verified.
 */
final class FetchDoor {
    private static final String UNPARSED = "unparsed";

    private final AdapterRegistry adapters;
    private final Adapter adapter;
    private final Pull pull;
    private final String verifyDetail;

    /** @param connection what the connection is known by */
    FetchDoor(AdapterRegistry adapters, Adapter adapter, Pull pull, String connection) {
        this.adapters = adapters;
        this.adapter = adapter;
        this.pull = pull;
        this.verifyDetail = connection;
    }

    /** Fields of an entry become the delivery's headers, never the exchange's: they steer no route. */
    void toDelivery(Exchange exchange) {
        Message message = exchange.getMessage();
        byte[] body = message.getBody(byte[].class);
        adapter.checkSize(body);
        String entryId = message.getHeader(RedisHeaders.ENTRY_ID, String.class);
        Map<String, String> fields = fields(message);
        String type = message.getHeader(RedisHeaders.UNREADABLE) == null ? pull.typeOf(fields, body) : UNPARSED;
        message.setBody(new Delivery(
                adapters.accountId(adapter.account()),
                adapter.name(),
                adapter.source(),
                adapter.family(),
                TrustMode.QUEUE,
                false,
                verifyDetail,
                type,
                pull.identity(fields, body, entryId, sent(entryId)),
                message.getHeader(Exchange.CONTENT_TYPE, String.class),
                headers(fields),
                body,
                null,
                null,
                null));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> fields(Message message) {
        Map<String, String> fields = message.getHeader(RedisHeaders.FIELDS, Map.class);
        return fields == null ? Map.of() : fields;
    }

    /** The same whenever the entry is read again; a message of a channel has no such time and is not read again. */
    private static Instant sent(String entryId) {
        return entryId == null
                ? Instant.now()
                : Instant.ofEpochMilli(Long.parseLong(entryId.substring(0, entryId.indexOf('-'))));
    }

    /** What stands beside the body; where all fields are the body, nothing does. */
    private Map<String, String> headers(Map<String, String> fields) {
        Object body = pull.options().get("body");
        if (body == null || body.equals("entry")) {
            return Map.of();
        }
        SentHeaders headers = new SentHeaders();
        fields.forEach((name, value) -> {
            if (!body.equals("field:" + name)) {
                headers.put(name, value);
            }
        });
        return headers.redacted();
    }
}
