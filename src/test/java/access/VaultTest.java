package access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** What is sealed opens under its key, for its owner, and in no other way. */
class VaultTest {
    private static final Vault VAULT = vault(1);

    private static Vault vault(int fill) {
        byte[] key = new byte[32];
        java.util.Arrays.fill(key, (byte) fill);
        return Vault.of(Base64.getEncoder().encodeToString(key)).orElseThrow();
    }

    @Test
    void sealedSecretOpensForItsOwner() {
        byte[] sealed = VAULT.seal("a provider's secret: ü", "hook-1");

        assertThat(VAULT.open(sealed, "hook-1")).contains("a provider's secret: ü");
        assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("provider");
    }

    @Test
    void itOpensNeitherForAnotherNorUnderAnotherKeyNorChanged() {
        byte[] sealed = VAULT.seal("secret", "hook-1");
        byte[] changed = sealed.clone();
        changed[changed.length - 1] ^= 1;

        assertThat(VAULT.open(sealed, "hook-2")).isEmpty();
        assertThat(vault(2).open(sealed, "hook-1")).isEmpty();
        assertThat(VAULT.open(changed, "hook-1")).isEmpty();
        assertThat(VAULT.open(new byte[5], "hook-1")).isEmpty();
    }

    @Test
    void theSameSecretIsNeverSealedTheSame() {
        assertThat(VAULT.seal("secret", "hook-1")).isNotEqualTo(VAULT.seal("secret", "hook-1"));
    }

    @Test
    void aKeyIsThirtyTwoBytesInBase64() {
        assertThat(Vault.of("too short")).isEmpty();
        assertThat(Vault.of(Base64.getEncoder().encodeToString(new byte[31]))).isEmpty();
        assertThat(Vault.of("not base64 at all, whatever its length is")).isEmpty();
    }
}
