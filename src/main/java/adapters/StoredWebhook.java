package adapters;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import model.Family;
import model.TrustMode;
import verify.ClosedVerifier;
import verify.Handshake;
import verify.Secret;
import verify.SignatureVerifier;
import verify.TokenVerifier;
import verify.Verifier;

/**
 * A webhook that was made over REST, as the database holds it: each delivery becomes a todo on its one queue.
 *
 * @param id random; the last part of its path
 * @param account whose it is, by name
 * @param name unique in its account
 * @param type {@code generic}, or a provider that signs
 * @param tokenHash SHA-256 of the token that senders bring; null for a provider
 * @param secret opens what the provider signs with; empty for a token, and where the hub cannot open it. Asked when the
 *     webhook is new or has changed, and not each time that the rows are read
 * @param changedAt microseconds since 1970: another value, another verifier
 */
@SuppressWarnings("ArrayRecordComponent") // compared by changedAt alone
public record StoredWebhook(
        String id,
        long accountId,
        String account,
        String name,
        AdapterType type,
        String queue,
        byte[] tokenHash,
        Supplier<Optional<String>> secret,
        long changedAt) {
    private static final Duration BODY_TIMEOUT = Duration.ofSeconds(10);

    /** No adapter of adapters.yaml can have such a name. */
    static String adapterName(String id) {
        return "w/" + id;
    }

    Adapter adapter() {
        Verifier verifier = verifier();
        return new Adapter(
                Optional.of(account),
                adapterName(id),
                type,
                "webhook:" + name,
                Family.WEBHOOK,
                verifier.trustMode(),
                verifier,
                Handshake.NONE,
                type.defaultMaxBody(),
                BODY_TIMEOUT,
                Rules.byDefault(queue, type.defaultCondition(), type.defaultMaxBody()),
                Optional.empty(),
                verifier instanceof ClosedVerifier ? Optional.of("its secret cannot be opened") : Optional.empty());
    }

    private Verifier verifier() {
        if (tokenHash != null) {
            return TokenVerifier.ofDigest(name, tokenHash);
        }
        return secret.get()
                .<Verifier>map(known -> new SignatureVerifier(
                        name, Schemes.shipped().get(type.word()).scheme(), List.of(Secret.of(known))))
                .orElseGet(() -> new ClosedVerifier(name, TrustMode.SIGNED));
    }
}
