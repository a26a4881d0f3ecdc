package adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import model.Family;
import model.TrustMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What adapters.yaml says of Redis, and what is wrong with it. */
class RedisAdaptersTest {
    private static final Map<String, String> BOTH =
            Map.of("SWITCHBOARD_REDIS_URL", "redis://localhost", "SWITCHBOARD_REDIS_AUDIT_LOG_URL", "redis://audit");
    private static final Instant SENT = Instant.parse("2026-11-30T12:34:56Z");

    private static Adapters parse(String items, Map<String, String> environment) {
        return AdaptersFile.parse("adapters.yaml", "adapters:\n" + items.indent(2), environment::get);
    }

    private static Pull pull(String item) {
        return parse(item, BOTH).all().get(0).pull().orElseThrow();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void streamIsReadAsItsNameUnlessSomethingElseIsSaid() {
        Adapter adapter = parse("""
                - name: deploys
                  type: redis-stream
                """, BOTH).all().get(0);

        assertThat(adapter.source()).isEqualTo("redis:deploys");
        assertThat(adapter.family()).isEqualTo(Family.QUEUE);
        assertThat(adapter.trustMode()).isEqualTo(TrustMode.QUEUE);
        assertThat(adapter.offReason()).isEmpty();
        Pull pull = adapter.pull().orElseThrow();
        assertThat(pull.component()).isEqualTo("redis-stream");
        assertThat(pull.key()).isEqualTo("deploys");
        assertThat(pull.connection()).isEqualTo("default");
        assertThat(pull.options()).isEqualTo(Map.of("group", "switchboard"));
        assertThat(pull.identity(Map.of(), utf8("{}"), "1-0", SENT)).isEqualTo("1-0");
        assertThat(pull.typeOf(Map.of("type", "x"), utf8("{}"))).isNull();
    }

    @Test
    void everyKeyOfAStreamReachesItsEndpoint() {
        Pull pull = pull("""
                - name: deploys
                  type: redis-stream
                  connection: audit_log
                  stream: prod:deploys.v2
                  group: hub
                  batch: 50
                  claim_idle: 2m
                  max_deliveries: 3
                  body: field:payload
                  unreadable: event
                  event_type: field:type
                  id: body:/id
                  trim: { maxlen: 1000 }
                """);

        assertThat(pull.connection()).isEqualTo("audit_log");
        assertThat(pull.key()).isEqualTo("prod:deploys.v2");
        assertThat(pull.options())
                .isEqualTo(Map.of(
                        "group",
                        "hub",
                        "batch",
                        50,
                        "claimIdle",
                        120_000L,
                        "maxDeliveries",
                        3,
                        "body",
                        "field:payload",
                        "unreadable",
                        "event",
                        "trimMaxlen",
                        1000));
        assertThat(pull.typeOf(Map.of("type", "deployed"), utf8("{}"))).isEqualTo("deployed");
    }

    @Test
    void identityMayStandInTheBodyAndIsTheEntrysWhereItDoesNot() {
        Pull pull = pull("""
                - name: mails
                  type: redis-list
                  id: body:/mail/id
                """);

        assertThat(pull.identity(Map.of(), utf8("{\"mail\":{\"id\":\"m-7\"}}"), "1-0", SENT))
                .isEqualTo("m-7");
        assertThat(pull.identity(Map.of(), utf8("{\"mail\":{\"id\":7}}"), "1-0", SENT))
                .isEqualTo("7");
        assertThat(pull.identity(Map.of(), utf8("{\"mail\":{\"id\":\" \"}}"), "1-0", SENT))
                .isEqualTo("1-0");
        assertThat(pull.identity(Map.of(), utf8("no JSON"), "1-0", SENT)).isEqualTo("1-0");
        assertThat(pull.identity(Map.of(), new byte[0], "1-0", SENT)).isEqualTo("1-0");
    }

    @Test
    void equalBodiesAreOneWithinTheWindowWhereThatIsAskedFor() {
        Pull pull = pull("""
                - name: mails
                  type: redis-list
                  dedup: body
                  dedup_window: 60s
                """);

        String first = pull.identity(Map.of(), utf8("same"), "1-0", Instant.parse("2026-11-30T12:34:00Z"));
        assertThat(pull.identity(Map.of(), utf8("same"), "2-0", Instant.parse("2026-11-30T12:34:59Z")))
                .isEqualTo(first);
        assertThat(pull.identity(Map.of(), utf8("same"), "3-0", Instant.parse("2026-11-30T12:35:00Z")))
                .isNotEqualTo(first);
        assertThat(pull.identity(Map.of(), utf8("other"), "4-0", Instant.parse("2026-11-30T12:34:00Z")))
                .isNotEqualTo(first);
    }

    @Test
    void adapterWhoseConnectionIsNotSetIsOffAndSaysWhichVariableIsMissing() {
        Adapters adapters = parse("""
                - name: one
                  type: redis-stream
                - name: two
                  type: redis-list
                  connection: audit_log
                """, Map.of("SWITCHBOARD_REDIS_URL", " "));

        assertThat(adapters.all())
                .extracting(adapter -> adapter.offReason().orElse("on"))
                .containsExactly("SWITCHBOARD_REDIS_URL is not set", "SWITCHBOARD_REDIS_AUDIT_LOG_URL is not set");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            type: redis-pubsub                                      | the key "loss" is missing
            type: redis-pubsub, loss: no                            | accepted
            type: redis-stream, body: payload                       | field:<name>
            type: redis-stream, stream: "a b"                       | the stream to read
            type: redis-stream, strean: a                           | did you mean "stream"
            type: redis-stream, claim_idle: 2h                      | claim_idle
            type: redis-stream, claim_idle: 100ms                   | 500ms to 60m
            type: redis-stream, id: id                              | body:<JSON pointer>
            type: redis-list, id: field:id                          | body:<JSON pointer>
            type: redis-list, dedup_window: 10s                     | means nothing without dedup: body
            type: redis-list, dedup: body, id: "body:/id"           | keep one of the two
            type: redis-list, dedup: body, dedup_window: 20000m     | 7 days
            type: redis-list, body: entry                           | unknown key
            type: redis-stream, connection: Audit                   | SWITCHBOARD_REDIS_<NAME>_URL
            type: redis-stream, trim: 100                           | a map with maxlen
            type: generic, token: t, dedup: body                    | Hashing the body is not offered here
            type: redis-streams                                     | did you mean "redis-stream"
            """)
    void mistakeIsNamedWithItsRule(String keys, String message) {
        assertThatExceptionOfType(InvalidAdapters.class)
                .isThrownBy(() -> parse("- { name: x, " + keys + " }\n", BOTH))
                .withMessageContaining(message);
    }

    @Test
    void twoAdaptersMayNotReadTheSameAsTheSame() {
        String three = """
                - { name: a, type: redis-stream, stream: shared }
                - { name: b, type: redis-stream, stream: shared, group: other }
                - { name: c, type: redis-stream, stream: shared, connection: audit_log }
                """;
        assertThat(parse(three, BOTH).all()).hasSize(3);

        assertThatExceptionOfType(InvalidAdapters.class)
                .isThrownBy(() -> parse(three + "- { name: shared, type: redis-stream }\n", BOTH))
                .withMessageContaining("reads the stream \"shared\" already");
    }
}
