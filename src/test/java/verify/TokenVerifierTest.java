package verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import model.Refusal;
import model.TrustMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenVerifierTest {

    private static final String TOKEN = "correct horse, battery";

    private final Verifier homelab = new TokenVerifier("homelab", TokenScheme.GENERIC, List.of(Secret.of(TOKEN)));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "authorization | Bearer correct horse, battery | Authorization: Bearer",
                "authorization | bearer   correct horse, battery | Authorization: Bearer",
                "Authorization | BEARER correct horse, battery | Authorization: Bearer",
                "x-switchboard-token | correct horse, battery | X-Switchboard-Token",
                "X-SWITCHBOARD-TOKEN | correct horse, battery | X-Switchboard-Token"
            })
    void tokenInAHeaderIsAccepted(String header, String value, String detail) {
        Verified verified = homelab.verify(withHeaders(Map.of(header, value)));

        assertThat(verified.detail()).isEqualTo(detail);
        assertThat(verified.verified())
                .as("a token says nothing about the bytes")
                .isFalse();
        assertThat(homelab.trustMode()).isEqualTo(TrustMode.TOKEN);
    }

    @Test
    void tokenInTheQueryIsAccepted() {
        assertThat(homelab.verify(withQuery(Map.of("token", TOKEN))).detail()).isEqualTo("?token=");
    }

    @Test
    void oneMatchingTokenIsEnoughWhateverTheOthersSay() {
        Map<String, String> headers = Map.of("authorization", "Basic dXNlcjpwYXNz", "x-switchboard-token", TOKEN);

        assertThat(homelab.verify(withHeaders(headers)).detail()).isEqualTo("X-Switchboard-Token");
        assertThat(homelab.verify(new Request(
                                "POST",
                                "http://127.0.0.1/webhooks/it",
                                Map.of("authorization", "Bearer wrong"),
                                Map.of("token", TOKEN)::get,
                                new byte[0],
                                Instant.EPOCH))
                        .detail())
                .isEqualTo("?token=");
    }

    @Test
    void tokenBeyondAsciiIsComparedAsItsBytes() {
        Verifier umlaut = new TokenVerifier("homelab", TokenScheme.GENERIC, List.of(Secret.of("schlüssel")));
        String onTheWire = new String("schlüssel".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);

        assertThat(umlaut.verify(withHeaders(Map.of("x-switchboard-token", onTheWire))))
                .isNotNull();
        assertThat(umlaut.verify(withQuery(Map.of("token", "schlüssel")))).isNotNull();
    }

    @Test
    void eventTypeAndIdentityComeFromTheHeaders() {
        Verified github = homelab.verify(withHeaders(Map.of(
                "x-switchboard-token", TOKEN,
                "x-event-type", "backup.done",
                "x-delivery-id", "a-1",
                "webhook-id", "b-2")));
        Verified standard = homelab.verify(withHeaders(Map.of("x-switchboard-token", TOKEN, "webhook-id", "b-2")));

        assertThat(github.eventType()).isEqualTo("backup.done");
        assertThat(github.externalId()).isEqualTo("a-1");
        assertThat(standard.externalId()).isEqualTo("b-2");
        assertThat(standard.eventType()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wrong",
                "correct horse, batter",
                "correct horse, battery ",
                "CORRECT HORSE, BATTERY",
                "«redacted»"
            })
    void wrongTokenIsRefusedWithoutSayingTheRightOne(String wrong) {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> homelab.verify(withHeaders(Map.of("x-switchboard-token", wrong))))
                .satisfies(refusal -> {
                    assertThat(refusal.code()).isEqualTo(Refusal.Code.TOKEN_MISMATCH);
                    assertThat(refusal.getMessage())
                            .startsWith("homelab: ")
                            .doesNotContain(TOKEN)
                            .doesNotContain(wrong);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer", "Bearer ", "Bearer    ", "Basic abc", "correct horse, battery"})
    void noTokenAtAllIsMissing(String authorization) {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> homelab.verify(withHeaders(Map.of("authorization", authorization))))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.TOKEN_MISSING));
    }

    /** Case 17. */
    @Test
    void queryNeverPosesAsAHeader() {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> homelab.verify(withQuery(Map.of("X-Switchboard-Token", TOKEN))))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.TOKEN_MISSING));
    }

    @Test
    void blankTokenCannotEvenBeConfigured() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TokenVerifier("homelab", TokenScheme.GENERIC, List.of()));
    }

    @Test
    void openAdapterLetsEverybodyInAndVerifiesNothing() {
        Verifier open = new OpenVerifier();

        Verified verified = open.verify(withHeaders(Map.of("x-event-type", "ring", "x-delivery-id", "7")));

        assertThat(verified).isEqualTo(new Verified(false, "open: nothing was checked", "ring", "7", null, null));
        assertThat(open.trustMode()).isEqualTo(TrustMode.OPEN);
    }

    @Test
    void closedAdapterLetsNobodyIn() {
        Verifier closed = new ClosedVerifier("homelab", TrustMode.TOKEN);

        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> closed.verify(withHeaders(Map.of("x-switchboard-token", TOKEN))))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.NOT_FOUND));
    }

    private static Request withHeaders(Map<String, String> headers) {
        return new Request("POST", "http://127.0.0.1/webhooks/it", headers, name -> null, new byte[0], Instant.EPOCH);
    }

    private static Request withQuery(Map<String, String> query) {
        return new Request("POST", "http://127.0.0.1/webhooks/it", Map.of(), query::get, new byte[0], Instant.EPOCH);
    }
}
