package adapters;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import verify.Handshake;
import verify.Verifier;

/**
 * One item of adapters.yaml as it is written: what is absent is null. Each type has a record whose components are the
 * keys it may hold; a test compares them with {@code adapters.schema.json}.
 */
sealed interface AdapterEntry
        permits ProviderEntry, SnsEntry, PaypalEntry, JwtEntry, HmacEntry, GenericEntry, RouteEntry, RedisEntry {

    String name();

    String type();

    String account();

    /** Null where the key is missing, which asks for the default rule; empty where only events are wanted. */
    List<RuleEntry> todos();

    String maxBody();

    String ruleMaxBody();

    /** Null for a type whose bodies do not come over HTTP. */
    default String bodyTimeout() {
        return null;
    }

    /** Null where nothing is limited, and for a type whose bodies do not come over HTTP. */
    default LimitsEntry limits() {
        return null;
    }

    /** The networks that may connect; null where everybody may. */
    default List<String> allow() {
        return null;
    }

    /** What is hidden beside what always is; null: nothing. */
    default RedactEntry redact() {
        return null;
    }

    /** Whether the body is stored without its hidden places; null: no. */
    default Boolean redactStored() {
        return null;
    }

    /** Where the hub fetches its deliveries; empty where they are brought. */
    default Optional<PullEntry> pull() {
        return Optional.empty();
    }

    /** Says what is wrong with the item beyond what the schema can say. */
    default void check(Complaints complaints) {}

    /**
     * Who may come in, given what references point to.
     *
     * @throws IllegalArgumentException when a secret is not of the form that the type needs; never quotes it
     */
    Gate gate(References references);

    /**
     * What stands between a sender and the hub.
     *
     * @param handshake what the sender may ask before it delivers
     * @param offReason why nobody can pass; null when somebody can
     */
    record Gate(Verifier verifier, Handshake handshake, String offReason) {
        Gate(Verifier verifier, String offReason) {
            this(verifier, Handshake.NONE, offReason);
        }
    }

    /** Where the problems of one item go. */
    record Complaints(JsonPointer place, Problems problems) {
        void say(String key, String text) {
            problems.add(place.appendProperty(key), text);
        }

        void secrets(String key, List<SecretEntry> secrets) {
            Set<String> ids = new HashSet<>();
            for (SecretEntry secret : secrets == null ? List.<SecretEntry>of() : secrets) {
                if (secret == null) {
                    continue;
                }
                secret.complaint().ifPresent(text -> say(key, text));
                if (secret.id() != null && !ids.add(secret.id())) {
                    say(key, "two secrets have the id \"" + secret.id() + "\"; ids are unique in the list");
                }
            }
        }

        /** Reports what the reading of the whole item finds. */
        void fitting(Runnable reading) {
            try {
                reading.run();
            } catch (IllegalArgumentException unfit) {
                problems.add(place, unfit.getMessage());
            }
        }
    }
}
