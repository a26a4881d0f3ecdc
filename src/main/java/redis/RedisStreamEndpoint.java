package redis;

import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.support.DefaultComponent;

/** {@code redis-stream:<stream>}: entries, read by a consumer group, acknowledged when their exchange is completed. */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "redis-stream",
        title = "Redis stream",
        syntax = "redis-stream:key",
        consumerOnly = true)
public final class RedisStreamEndpoint extends FeedEndpoint {
    @UriParam(
            defaultValue = "switchboard",
            description = "Consumer group; made when it is not there, from the beginning")
    private String group = "switchboard";

    @UriParam(
            defaultValue = "entry",
            description =
                    "The exchange's body: entry, all fields as one JSON object, or field:<name>, that field's bytes")
    private String body = "entry";

    @UriParam(
            defaultValue = "dead",
            enums = "dead,event",
            description =
                    "What becomes of an entry without such a body: dead puts it aside, event makes all of it the body")
    private Unreadable unreadable = Unreadable.dead;

    @UriParam(
            defaultValue = "0",
            description =
                    "Entries to keep, about; 0 keeps all. What a group has not read, or has pending, is always kept")
    private long trimMaxlen;

    /** What becomes of an entry without the body that is asked for; lower case, as in the URI. */
    @SuppressWarnings("MemberName")
    public enum Unreadable {
        dead,
        event
    }

    private Body reading;

    RedisStreamEndpoint(String uri, DefaultComponent component, Connections connections, String stream) {
        super(uri, component, connections, stream);
    }

    @Override
    protected void doInit() throws Exception {
        super.doInit();
        reading = Body.of(body);
    }

    @Override
    Feed feed() {
        return new StreamFeed(client(), getKey(), group, consumerName(), claimIdleTime(), trimMaxlen);
    }

    @Override
    void fill(Exchange exchange, Entry entry) throws Body.Unreadable {
        Message message = exchange.getMessage();
        boolean json = reading.isJson();
        try {
            message.setBody(reading.in(entry));
        } catch (Body.Unreadable reason) {
            if (unreadable == Unreadable.dead) {
                throw reason;
            }
            message.setBody(Body.everything(entry));
            message.setHeader(RedisHeaders.UNREADABLE, reason.getMessage());
            json = true;
        }
        if (json) {
            message.setHeader(Exchange.CONTENT_TYPE, "application/json");
        }
        message.setHeader(RedisHeaders.FIELDS, entry.texts());
    }

    public String getGroup() {
        return group;
    }

    public void setGroup(String group) {
        this.group = group;
    }

    public String getBody() {
        return body;
    }

    public void setBody(String body) {
        this.body = body;
    }

    public Unreadable getUnreadable() {
        return unreadable;
    }

    public void setUnreadable(Unreadable unreadable) {
        this.unreadable = unreadable;
    }

    public long getTrimMaxlen() {
        return trimMaxlen;
    }

    public void setTrimMaxlen(long trimMaxlen) {
        this.trimMaxlen = trimMaxlen;
    }
}
