package access;

import java.util.Map;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;

/** The credential of the operator's account, as the hub sets it at its start. */
public final class OperatorCredential {
    /** Stores one if the account has none; {@code routes.CredentialRoutes} answers. */
    public static final String MINT_IF_NONE = "direct:operator-credential-mint";
    /** Stores one and revokes the others. */
    public static final String REPLACE = "direct:operator-credential-replace";
    /** How many live ones there were. */
    public static final String LIVE = "OperatorCredentialsLive";

    private static final long OPERATOR = 1;

    private final ProducerTemplate producer;

    public OperatorCredential(CamelContext context) {
        this.producer = context.createProducerTemplate();
    }

    /** A new credential, when the account had none; of several nodes at once, one gets it. */
    public Optional<Credential> mintIfNone() {
        Credential minted = Credential.mint();
        Exchange stored =
                producer.request(MINT_IF_NONE, exchange -> exchange.getMessage().setBody(row(minted)));
        rethrow(stored);
        long live = stored.getMessage().getHeader(LIVE, Long.class);
        return live == 0 ? Optional.of(minted) : Optional.empty();
    }

    /** Makes this the only one. */
    public void replaceWith(Credential credential) {
        rethrow(producer.request(REPLACE, exchange -> exchange.getMessage().setBody(row(credential))));
    }

    private static Map<String, Object> row(Credential credential) {
        return Map.of("account_id", OPERATOR, "hash", credential.hash(), "prefix", credential.prefix());
    }

    private static void rethrow(Exchange stored) {
        if (stored.getException() != null) {
            throw new IllegalStateException("the operator credential could not be stored", stored.getException());
        }
    }
}
