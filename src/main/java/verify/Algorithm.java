package verify;

import java.util.Arrays;
import java.util.Optional;

/** How a signature is made. The words are those of schemes.yaml and adapters.yaml. */
public enum Algorithm {
    /** RFC 2104 over SHA-1: not broken as a MAC, and still what some providers send. */
    HMAC_SHA1("hmac-sha1", "HMAC-SHA1", "HmacSHA1", 20),
    HMAC_SHA256("hmac-sha256", "HMAC-SHA256", "HmacSHA256", 32),
    HMAC_SHA512("hmac-sha512", "HMAC-SHA512", "HmacSHA512", 64),
    /** RFC 8032. */
    ED25519("ed25519", "Ed25519", "Ed25519", 64),
    /** ECDSA on P-256 over SHA-256, signature in DER. */
    ECDSA_P256("ecdsa-p256", "ECDSA P-256", "SHA256withECDSA", 0),
    /** RSASSA-PKCS1-v1_5 over SHA-256. */
    RSA_SHA256("rsa-sha256", "RSA-SHA256", "SHA256withRSA", 0);

    private final String word;
    private final String title;
    private final String jcaName;
    private final int signatureLength;

    Algorithm(String word, String title, String jcaName, int signatureLength) {
        this.word = word;
        this.title = title;
        this.jcaName = jcaName;
        this.signatureLength = signatureLength;
    }

    /** The algorithm of that word. */
    public static Optional<Algorithm> of(String word) {
        return Arrays.stream(values()).filter(known -> known.word.equals(word)).findFirst();
    }

    /** The word in a table of schemes: {@code hmac-sha256}. */
    public String word() {
        return word;
    }

    /** As people write it: {@code HMAC-SHA256}. */
    String title() {
        return title;
    }

    /** As the Java Cryptography Architecture calls it. */
    String jcaName() {
        return jcaName;
    }

    /** Bytes of a signature; 0 when they vary. */
    int signatureLength() {
        return signatureLength;
    }

    /** Whether both sides hold the same secret; else the hub holds a public key. */
    boolean isSymmetric() {
        return jcaName.startsWith("Hmac");
    }
}
