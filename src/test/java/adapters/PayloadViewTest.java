package adapters;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadViewTest {

    private static final String FORM = "application/x-www-form-urlencoded";

    /** Case 16 among them: what jsonb would refuse or rewrite comes out as it was sent. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": 1}",
                " [1, 2.50, 1e400, 123456789012345678901234567890] \n",
                "{\"a\": 1, \"a\": 2}",
                "{\"nul\": \"\\u0000\", \"half\": \"\\ud83d\"}",
                "\"text\"",
                "null",
                "0",
                "{\"grüße\": \"🚀\"}"
            })
    void jsonComesOutExactlyAsItWasSent(String json) {
        for (String contentType :
                new String[] {"application/json", "application/json; charset=bogus", "text/plain", null}) {
            assertThat(PayloadView.json(contentType, bytes(json))).contains(json);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "text",
                "{\"a\": 1",
                "{\"a\": 1} {}",
                "[1,]",
                "\"open",
                "nul",
                "truex",
                "-",
                "<xml/>",
                "\u0000",
                "{\"a\": \"\u0000\"}",
                "{\"a\":1]"
            })
    void whatIsNoJsonIsAbsent(String text) {
        assertThat(PayloadView.json("application/json", bytes(text))).isEmpty();
        assertThat(PayloadView.json(null, bytes(text))).isEmpty();
    }

    @Test
    void bytesThatAreNoTextAreAbsent() {
        assertThat(PayloadView.json("application/json", new byte[] {'"', (byte) 0xC3, 0x28, '"'}))
                .isEmpty();
        assertThat(PayloadView.json("application/json", "{\"a\":1}".getBytes(StandardCharsets.UTF_16)))
                .isEmpty();
    }

    @Test
    void byteOrderMarkIsForgivenAndLeftOut() {
        assertThat(PayloadView.json("application/json", bytes("\uFEFF{\"a\":1}")))
                .contains("{\"a\":1}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "payload=%7B%22a%22%3A%22b+c%22%7D ; {\"a\":\"b c\"}",
                "x=1&payload=%5B1%5D&payload=2 ; [1]",
                "{\"a\":1} ; {\"a\":1}",
                "[1] ; [1]"
            })
    void payloadFieldOfAFormIsDecoded(String form, String json) {
        assertThat(PayloadView.json(FORM, bytes(form))).contains(json);
        assertThat(PayloadView.json("Application/X-WWW-Form-Urlencoded; charset=utf-8", bytes(form)))
                .contains(json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1&b=2", "payload=text", "payload=%zz", "payload", "", "payload=%7B"})
    void formWithoutJsonIsAbsent(String form) {
        assertThat(PayloadView.json(FORM, bytes(form))).isEmpty();
    }

    @Test
    void hostileDepthIsAbsent() {
        assertThat(PayloadView.json(null, bytes("[".repeat(200) + "]".repeat(200))))
                .isPresent();
        assertThat(PayloadView.json(null, bytes("[".repeat(1_000_000)))).isEmpty();
        assertThat(PayloadView.json(null, bytes("[".repeat(201) + "]".repeat(201))))
                .isEmpty();
    }

    /** The view and the rules agree about what JSON is, whatever the bytes. */
    @Test
    void viewAndRulesAgreeOnWhatIsJson() {
        Random random = new Random(42);
        String alphabet = "{}[]\",:0123456789.eE+-truefalsn \\u\u0000é";
        for (int round = 0; round < 50_000; round++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(12);
            for (int i = 0; i < length; i++) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            byte[] body = bytes(text.toString());

            boolean rules = !Payload.of(null, body).isAbsent();
            assertThat(PayloadView.json(null, body).isPresent())
                    .as(text.toString())
                    .isEqualTo(rules);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
