package net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who calls, and at which address. Case 11. */
class ProxiesTest {
    private static final Networks TRUSTED = Networks.of(List.of("10.0.0.0/8", "fd00::/8", "127.0.0.1"));
    private final Proxies proxies = new Proxies(TRUSTED, Optional.empty());

    private static UnaryOperator<String> headers(String... pairs) {
        Map<String, String> headers = new java.util.TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < pairs.length; i += 2) {
            headers.put(pairs[i], pairs[i + 1]);
        }
        return headers::get;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "203.0.113.9 | 198.51.100.7 | 203.0.113.9",
                "10.1.2.3 | 198.51.100.7 | 198.51.100.7",
                "10.1.2.3 | 6.6.6.6, 198.51.100.7 | 198.51.100.7",
                "10.1.2.3 | 6.6.6.6, 198.51.100.7, 10.9.9.9 | 198.51.100.7",
                "10.1.2.3 | 10.7.7.7, 10.9.9.9 | 10.7.7.7",
                "10.1.2.3 | 198.51.100.7:5123 | 198.51.100.7",
                "fd00::1 | [2001:db8::7]:443 | 2001:db8::7",
                "fd00::1 | 2001:DB8:0:0::7 | 2001:db8::7",
                "::ffff:10.1.2.3 | ::ffff:198.51.100.7 | 198.51.100.7",
                "10.1.2.3 | unknown | 10.1.2.3",
                "10.1.2.3 | 198.51.100.7, evil | 10.1.2.3",
                "10.1.2.3 | 198.51.100.7, evil, 10.9.9.9 | 10.9.9.9",
                "10.1.2.3 | '' | 10.1.2.3",
                "10.1.2.3 | 198.51.100.0/24 | 10.1.2.3",
                "10.1.2.3 | 1.2 | 10.1.2.3",
                "not-an-address | 198.51.100.7 | not-an-address"
            })
    void clientIsTheLastWhomATrustedProxyVouchesFor(String peer, String forwardedFor, String client) {
        assertThat(proxies.client(peer, headers("X-Forwarded-For", forwardedFor)))
                .isEqualTo(client);
    }

    @Test
    void forwardedIsUnderstoodWhereThereIsNothingElse() {
        UnaryOperator<String> forwarded =
                headers("Forwarded", "for=6.6.6.6, For=\"[2001:db8::7]:4711\";proto=https;host=hooks.example.com");

        assertThat(proxies.client("10.0.0.1", forwarded)).isEqualTo("2001:db8::7");
        assertThat(proxies.url("10.0.0.1", forwarded, "/x?a=%20")).isEqualTo("https://hooks.example.com/x?a=%20");
        assertThat(proxies.client("203.0.113.9", forwarded)).isEqualTo("203.0.113.9");
    }

    @Test
    void addressIsWhatTheSenderKnows() {
        UnaryOperator<String> behind =
                headers("Host", "inner:8080", "X-Forwarded-Proto", "https", "X-Forwarded-Host", "hooks.example.com");
        Proxies told = new Proxies(TRUSTED, Optional.of(URI.create("https://public.example.com/hub/")));

        assertThat(proxies.url("10.0.0.1", behind, "/webhooks/x?b=1"))
                .isEqualTo("https://hooks.example.com/webhooks/x?b=1");
        assertThat(proxies.url("203.0.113.9", behind, "/webhooks/x")).isEqualTo("http://inner:8080/webhooks/x");
        assertThat(told.url("203.0.113.9", behind, "/webhooks/x"))
                .isEqualTo("https://public.example.com/hub/webhooks/x");
        assertThat(proxies.url("10.0.0.1", headers("X-Forwarded-Host", "a b/../"), "/x"))
                .isEqualTo("http://localhost/x");
        assertThat(Proxies.NONE.url("10.0.0.1", behind, "/x")).isEqualTo("http://inner:8080/x");
    }

    @Test
    void longAndStrangeChainsHarmNobody() {
        String chain = "10.0.0.2, ".repeat(2_000) + "10.0.0.3";
        assertThat(proxies.client("10.0.0.1", headers("X-Forwarded-For", chain)))
                .isEqualTo("10.0.0.2");
        Random random = new Random(7);
        String alphabet = "0123456789.:[]%/, abcdef\"=;forwthps\u0000é";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder strange = new StringBuilder();
            for (int i = random.nextInt(60); i > 0; i--) {
                strange.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            assertThat(proxies.client("10.0.0.1", headers("X-Forwarded-For", strange.toString())))
                    .isNotNull();
            assertThat(proxies.client("10.0.0.1", headers("Forwarded", strange.toString())))
                    .isNotNull();
            assertThat(proxies.url("10.0.0.1", headers("Forwarded", strange.toString()), "/"))
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.0/33",
                "10.0.0",
                "example.com",
                "10.0.0.1-9",
                "10.*.0.0",
                "::/129",
                "10.0.0.0/8/8",
                "*"
            })
    void whatIsNoNetworkIsNamed(String written) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Networks.of(List.of(written)))
                .withMessageContaining("\"" + written + "\" is no network");
    }

    @Test
    void bitsBeyondThePrefixAreAMistake() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Networks.of(List.of("10.1.2.3/8")))
                .withMessageContaining("did you mean 10.0.0.0/8?");
    }

    @Test
    void oneSiteOfIpv6IsOne() {
        assertThat(Address.of("2001:db8:1:2:3::9").orElseThrow().site())
                .isEqualTo(Address.of("2001:db8:1:2::7").orElseThrow().site());
        assertThat(Address.of("192.0.2.1").orElseThrow().site()).isEqualTo("192.0.2.1");
    }
}
