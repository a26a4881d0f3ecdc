/**
 * Being woken by PostgreSQL: camel-pgevent's scheme, endpoint and header with a consumer that survives lost connections,
 * restarts, frozen peers and poolers ({@code docs/decisions/0003-own-pgevent-consumer.md}).
 *
 * <p>Imports Camel and pgjdbc, and nothing of the house. One of the few places that may use {@code java.sql}: LISTEN needs
 * a session of its own, which no {@code sql:} step can give.
 */
package pgevent;
