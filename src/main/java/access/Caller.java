package access;

import org.apache.camel.Exchange;

/**
 * Who is calling, as the stored credential says; nothing of it comes from the request.
 *
 * @param accountId the account whose queues, todos and events the caller may see
 * @param accountName the account's name; the owner that its claims are fenced by
 * @param operator whether the operator's calls are allowed
 */
public record Caller(long accountId, String accountName, boolean operator) {
    static final String PROPERTY = "SwitchboardCaller";

    /** The caller that {@link Gate} let in. */
    public static Caller of(Exchange exchange) {
        Caller caller = exchange.getProperty(PROPERTY, Caller.class);
        if (caller == null) {
            throw new IllegalStateException("no caller: the route lacks its gate");
        }
        return caller;
    }
}
