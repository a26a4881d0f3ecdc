package adapters;

import model.TrustMode;
import verify.ClosedVerifier;

/** What the types that read from Redis have in common. */
sealed interface RedisEntry extends AdapterEntry permits RedisStreamEntry, RedisListEntry, RedisPubSubEntry {

    String connection();

    /** What vouches for an entry is the connection; no webhook comes in under the adapter's name. */
    @Override
    default Gate gate(References references) {
        String variable = RedisConnection.variable(RedisConnection.orDefault(connection()));
        String url = references.environment(variable);
        return new Gate(
                new ClosedVerifier(name(), TrustMode.QUEUE),
                url == null || url.isBlank() ? variable + " is not set" : null);
    }
}
