package access;

import java.util.List;
import java.util.Optional;
import model.Refusal;
import org.apache.camel.Exchange;

/**
 * Who is calling, as the stored credential says; nothing of it comes from the request.
 *
 * @param credentialId what it bears; statements that write ask once more whether that still lives
 * @param prefix the credential's first characters, for people
 * @param accountId the account whose queues, todos and events the caller may see
 * @param accountName the account's name
 * @param role {@code operator} or {@code member}
 * @param endpoint what it is confined to; empty for the account itself
 */
public record Caller(
        long credentialId,
        String prefix,
        long accountId,
        String accountName,
        String role,
        Optional<Endpoint> endpoint) {
    static final String PROPERTY = "SwitchboardCaller";

    /** The caller that {@link Gate} let in. */
    public static Caller of(Exchange exchange) {
        Caller caller = exchange.getProperty(PROPERTY, Caller.class);
        if (caller == null) {
            throw new IllegalStateException("no caller: the route lacks its gate");
        }
        return caller;
    }

    /** Whether the operator's calls are allowed. */
    public boolean operator() {
        return endpoint.isEmpty() && "operator".equals(role);
    }

    public boolean may(Right right) {
        return endpoint.map(scope -> scope.rights().contains(right)).orElse(true);
    }

    /** What its claims are fenced by: the endpoint, or the account where there is none. */
    public String owner() {
        return endpoint.map(scope -> scope.id().toString()).orElse(accountName);
    }

    /** What {@code assignee} is matched with: the agent, or for the account itself the label that its worker gives. */
    public String assignee(String worker) {
        return endpoint.map(Endpoint::holder).orElse(worker);
    }

    /** Who made a todo: {@code agent:<name>}, {@code friend:<account>}, or the account's own name. */
    public String maker() {
        return endpoint.map(scope -> (scope.friend() ? "friend:" : "agent:") + scope.holder())
                .orElse(accountName);
    }

    /** For the audit log: who, and which of its credentials. */
    public String actor() {
        return maker() + " " + prefix;
    }

    /** The queues that exist for it; empty: all of the account. */
    public Optional<List<String>> queues() {
        return endpoint.map(Endpoint::queues);
    }

    /** The same as a parameter of statements: null stands for all. */
    public String[] queuesOrNull() {
        return queues().map(queues -> queues.toArray(String[]::new)).orElse(null);
    }

    /**
     * The queues that a request means.
     *
     * @param named as it names them; none: all that there are for the caller
     * @return in the order asked; empty for all of the account
     * @throws Refusal {@code forbidden_queue} when one is outside the caller's scope, whether or not it exists
     */
    public List<String> queues(List<String> named) {
        if (endpoint.isEmpty()) {
            return named;
        }
        for (String queue : named) {
            if (!endpoint.get().queues().contains(queue)) {
                throw new Refusal(
                        Refusal.Code.FORBIDDEN_QUEUE,
                        "queue " + queue
                                + " is outside the scope of this credential: GET /v1/me tells it (forbidden_queue)");
            }
        }
        return named.isEmpty() ? endpoint.get().queues() : named;
    }
}
