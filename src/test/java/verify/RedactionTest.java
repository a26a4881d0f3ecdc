package verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

    /** Case 18. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Hub-Signature",
                "X-Hub-Signature-256",
                "Stripe-Signature",
                "X-Slack-Signature",
                "Webhook-Signature",
                "X-Shopify-Hmac-Sha256",
                "X-Gitlab-Token",
                "X-Switchboard-Token",
                "X-Goog-Channel-Token",
                "X-CSRF-Token",
                "Authorization",
                "Proxy-Authorization",
                "Cookie",
                "Set-Cookie",
                "X-Api-Key",
                "Apikey",
                "X-Auth",
                "X-Auth-Key",
                "X-Client-Secret",
                "X_Api_Key",
                "X-Amz-Security-Token",
                "X-Session",
                "X-JWT-Assertion"
            })
    void secretIsRedactedWhateverTheCaseOfItsHeader(String name) {
        for (String spelt : new String[] {name, name.toLowerCase(Locale.ROOT), name.toUpperCase(Locale.ROOT)}) {
            assertThat(Redaction.headers(Map.of(spelt, "s3cr3t")))
                    .containsExactly(Map.entry(name.toLowerCase(Locale.ROOT), "«redacted»"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-GitHub-Event", "X-GitHub-Delivery", "Webhook-Id", "Webhook-Timestamp", "Content-Type", "User-Agent",
                "X-Author", "Accept", "X-Design", "Idempotency-Key", "Traceparent", "X-Passenger"
            })
    void whatIsNoSecretIsKept(String name) {
        assertThat(Redaction.headers(Map.of(name, "kept"))).containsValue("kept");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/webhooks/generic/x?token=abc | /webhooks/generic/x?token=«redacted»",
                "https://h/x?a=1&TOKEN=abc&b=2#f | https://h/x?a=1&TOKEN=«redacted»&b=2#f",
                "/x?%74oken=abc | /x?%74oken=«redacted»",
                "token=abc&a=1 | token=«redacted»&a=1",
                "/x?access_token=a=b&api_key=c | /x?access_token=«redacted»&api_key=«redacted»",
                "/x?token | /x?token",
                "/x?token= | /x?token=«redacted»",
                "/x?a=1&b=%zz | /x?a=1&b=%zz",
                "text/html;q=0.9, a/b | text/html;q=0.9, a/b",
                "plain | plain"
            })
    void tokensInAQueryAreRedacted(String text, String redacted) {
        assertThat(Redaction.query(text)).isEqualTo(redacted);
    }

    @Test
    void addressInAHeaderIsRedactedToo() {
        Map<String, String> headers = Redaction.headers(Map.of("Referer", "https://hub/webhooks/generic/x?token=abc"));

        assertThat(headers.get("referer")).doesNotContain("abc").endsWith("token=«redacted»");
    }

    /** Case 16. */
    @Test
    void headersFitTheDatabase() {
        Map<String, String> headers = new HashMap<>();
        headers.put("X-Odd", "a\u0000b\uD83D");

        assertThat(Redaction.headers(headers)).containsEntry("x-odd", "a\uFFFDb\uFFFD");
    }
}
