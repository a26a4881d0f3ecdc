package adapters;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import verify.Verifier;

/**
 * One item of adapters.yaml as it is written: what is absent is null. Each type has a record whose components are the
 * keys it may hold; a test compares them with {@code adapters.schema.json}.
 */
sealed interface AdapterEntry permits GithubEntry, GenericEntry, RouteEntry, RedisEntry {

    String name();

    String account();

    /** Null where the key is missing, which asks for the default rule; empty where only events are wanted. */
    List<RuleEntry> todos();

    String maxBody();

    String ruleMaxBody();

    /** Null for a type whose bodies do not come over HTTP. */
    default String bodyTimeout() {
        return null;
    }

    /** Where the hub fetches its deliveries; empty where they are brought. */
    default Optional<PullEntry> pull() {
        return Optional.empty();
    }

    /** Who may come in, given the environment that references point to. */
    Gate gate(Function<String, String> environment);

    /**
     * What stands between a sender and the hub.
     *
     * @param offReason why nobody can pass; null when somebody can
     */
    record Gate(Verifier verifier, String offReason) {}
}
