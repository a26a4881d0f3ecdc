package adapters;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 * @param type {@code generic}, or a provider
 * @param shared what its sender knows
 * @param former what its sender knew before the last rotation, as long as that still works
 * @param changedAt microseconds since 1970: another value, another verifier
 */
public record StoredWebhook(
        String id,
        long accountId,
        String account,
        String name,
        AdapterType type,
        String queue,
        Shared shared,
        Optional<Shared> former,
        long changedAt) {
    private static final Duration BODY_TIMEOUT = Duration.ofSeconds(10);

    /**
     * A token of which only the SHA-256 is kept, or a provider's secret.
     *
     * @param tokenHash null for a provider
     * @param secret opens what the provider signs with; empty for a token, and where the hub cannot open it. Asked when the
     *     webhook is new or has changed, and not each time that the rows are read
     * @param notAfter when it ends; null: never
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares these
    public record Shared(byte[] tokenHash, Supplier<Optional<String>> secret, Instant notAfter) {}

    /** What may be made over REST: a token of ours, or a provider that needs nothing but a secret. */
    public static List<String> types() {
        List<String> types = new ArrayList<>(List.of(AdapterType.GENERIC.word()));
        Schemes.shipped().forEach((word, scheme) -> {
            if (!scheme.isProgram()) {
                types.add(word);
            }
        });
        return List.copyOf(types);
    }

    /** What is wrong with a provider's secret, if anything; never quotes it. */
    public static Optional<String> complaint(String type, String secret) {
        try {
            verifier("new", Schemes.shipped().get(type), List.of(Secret.of(secret)));
            return Optional.empty();
        } catch (IllegalArgumentException unfit) {
            return Optional.of(unfit.getMessage());
        }
    }

    /** No adapter of adapters.yaml can have such a name. */
    static String adapterName(String id) {
        return "w/" + id;
    }

    Adapter adapter() {
        List<Secret> secrets = secrets();
        Verifier verifier = shared.tokenHash != null ? ofTokens() : ofProvider(secrets);
        return new Adapter(
                Optional.of(account),
                adapterName(id),
                type,
                "webhook:" + name,
                Family.WEBHOOK,
                verifier.trustMode(),
                verifier,
                secrets.isEmpty()
                        ? Handshake.NONE
                        : ProviderEntry.handshake(Schemes.shipped().get(type.word()), secrets),
                type.defaultMaxBody(),
                BODY_TIMEOUT,
                Limits.NONE,
                Redact.NONE,
                Rules.byDefault(queue, type.defaultCondition(), type.defaultMaxBody()),
                Optional.empty(),
                verifier instanceof ClosedVerifier ? Optional.of("its secret cannot be opened") : Optional.empty());
    }

    private Verifier ofTokens() {
        return former.map(before -> TokenVerifier.ofDigests(name, shared.tokenHash, before.tokenHash, before.notAfter))
                .orElseGet(() -> TokenVerifier.ofDigest(name, shared.tokenHash));
    }

    private Verifier ofProvider(List<Secret> secrets) {
        return secrets.isEmpty()
                ? new ClosedVerifier(name, TrustMode.SIGNED)
                : verifier(name, Schemes.shipped().get(type.word()), secrets);
    }

    /** Empty for a token, and where the hub cannot open them. */
    private List<Secret> secrets() {
        List<Secret> secrets = new ArrayList<>();
        shared.secret.get().ifPresent(value -> secrets.add(Secret.of(value)));
        former.ifPresent(before ->
                before.secret.get().ifPresent(value -> secrets.add(new Secret("former", value, before.notAfter))));
        return secrets;
    }

    private static Verifier verifier(String name, SchemeEntry scheme, List<Secret> secrets) {
        return scheme.isToken()
                ? new TokenVerifier(name, scheme.tokenScheme(), secrets)
                : new SignatureVerifier(name, scheme.scheme(), secrets);
    }
}
