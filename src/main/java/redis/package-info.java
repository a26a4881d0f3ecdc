/**
 * Redis as a source: the Camel components {@code redis-stream:}, {@code redis-list:} and {@code redis-pubsub:}, on
 * Redisson. They read, acknowledge when an exchange is completed, take over what dead nodes hold, and put aside what cannot
 * be delivered; what a delivery is they do not know. Each script lies in a file below {@code redis/}. Imports {@code model}
 * for the words of a refusal, and {@code pace}.
 */
package redis;
