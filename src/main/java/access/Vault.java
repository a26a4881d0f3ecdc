package access;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keeps secrets that the hub must know in clear when it uses them: AES-256-GCM under a key that is not in the database. What is
 * sealed is bound to the id of whom it belongs to, so that a row's secret opens nowhere else. Format: 12 bytes of nonce, then
 * ciphertext and tag.
 */
public final class Vault {
    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretKeySpec key;

    private Vault(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
    }

    /** With a key of 32 bytes in base64; empty when the text is none. */
    public static Optional<Vault> of(String base64) {
        try {
            byte[] key = Base64.getDecoder().decode(base64.strip());
            return key.length == KEY_BYTES ? Optional.of(new Vault(key)) : Optional.empty();
        } catch (IllegalArgumentException noBase64) {
            return Optional.empty();
        }
    }

    /** Encrypts a secret for whom it belongs to. */
    public byte[] seal(String secret, String owner) {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, owner).doFinal(secret.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.allocate(nonce.length + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    /** The secret; empty when it was sealed under another key, for somebody else, or changed since. */
    public Optional<String> open(byte[] sealed, String owner) {
        if (sealed.length < NONCE_BYTES) {
            return Optional.empty();
        }
        try {
            byte[] nonce = Arrays.copyOf(sealed, NONCE_BYTES);
            byte[] secret =
                    cipher(Cipher.DECRYPT_MODE, nonce, owner).doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
            return Optional.of(new String(secret, StandardCharsets.UTF_8));
        } catch (GeneralSecurityException notOurs) {
            return Optional.empty();
        }
    }

    private Cipher cipher(int mode, byte[] nonce, String owner) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(owner.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
