package verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextTest {

    /** Case 65g. */
    @Test
    void twoLongIdentitiesThatDifferAtTheEndStayTwo() {
        String shared = "x".repeat(399);

        assertThat(Text.externalId(shared + "1")).matches("sha256:[0-9a-f]{64}");
        assertThat(Text.externalId(shared + "1")).isNotEqualTo(Text.externalId(shared + "2"));
        assertThat(Text.externalId(shared + "1")).isEqualTo(Text.externalId(shared + "1"));
    }

    @Test
    void identityOfUpTo256BytesIsStoredAsItIs() {
        assertThat(Text.externalId("x".repeat(256))).isEqualTo("x".repeat(256));
        assertThat(Text.externalId("é".repeat(128))).isEqualTo("é".repeat(128));
        assertThat(Text.externalId("é".repeat(128) + "x")).startsWith("sha256:");
        assertThat(Text.externalId(" 7 ")).isEqualTo(" 7 ");
    }

    @Test
    void hashIsThatOfTheBytes() {
        // printf 'a\\0b' | sha256sum
        assertThat(Text.externalId("a\u0000b"))
                .isEqualTo("sha256:59b271ae1bbcb1d31d41929817f4b16fb439eb4f31520b5ad1d5ce98920a7138");
    }

    @Test
    void identitiesThatTextCannotHoldStayDistinct() {
        assertThat(Text.externalId("a\uD83D")).startsWith("sha256:").isNotEqualTo(Text.externalId("a\uD83E"));
        assertThat(Text.externalId("a\u0000")).startsWith("sha256:").isNotEqualTo(Text.externalId("a\u0000\u0000"));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "\t"})
    void blankIdentityIsNone(String blank) {
        assertThat(Text.externalId(blank)).isNull();
    }

    @Test
    void lineIsOneLineOfCleanText() {
        assertThat(Text.line("a\nb\r\tc\u0000d\u2028e\uD83Df 🚀", 100)).isEqualTo("a b  c d e\uFFFDf 🚀");
        assertThat(Text.line(" \n ", 10)).isNull();
        assertThat(Text.line(null, 10)).isNull();
    }

    @Test
    void lineIsCutInCodePointsAndSaysSo() {
        assertThat(Text.line("🚀".repeat(10), 10)).isEqualTo("🚀".repeat(10));
        assertThat(Text.line("🚀".repeat(11), 10)).isEqualTo("🚀".repeat(9) + "…");
    }

    @Test
    void storableReplacesOnlyWhatCannotBeStored() {
        assertThat(Text.storable("a\u0000b\uDE80c\n🚀")).isEqualTo("a\uFFFDb\uFFFDc\n🚀");
        assertThat(Text.storable("as it is")).isEqualTo("as it is");
    }

    /** Whatever comes in, what comes out fits the database and its bound. */
    @Test
    void anyTextComesOutFitToBeStored() {
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            char[] chars = new char[random.nextInt(400)];
            for (int i = 0; i < chars.length; i++) {
                chars[i] = (char) (random.nextInt(4) == 0 ? 0xD700 + random.nextInt(0x1000) : random.nextInt(0x250));
            }
            String text = new String(chars);

            String line = Text.line(text, 50);
            assertThat(line == null ? 0 : line.codePointCount(0, line.length())).isLessThanOrEqualTo(50);
            assertFits(line);
            assertFits(Text.storable(text));
            String identity = Text.externalId(text);
            assertFits(identity);
            assertThat(identity == null ? 0 : identity.getBytes(StandardCharsets.UTF_8).length)
                    .isLessThanOrEqualTo(256);
        }
    }

    private static void assertFits(String text) {
        if (text != null) {
            assertThat(text).doesNotContain("\u0000");
            assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(text)).isTrue();
        }
    }
}
