package access;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/** A bearer credential: {@code swb_} and 32 random bytes in base 62. Shown once, stored as its SHA-256 and a display prefix. */
public final class Credential {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final BigInteger BASE = BigInteger.valueOf(DIGITS.length());
    /** 62^43 is the first power of 62 above 2^256. */
    private static final int LENGTH = 43;

    private static final int SHOWN = 10;

    private final String secret;

    private Credential(String secret) {
        this.secret = secret;
    }

    /** A new one. */
    public static Credential mint() {
        return new Credential("swb_" + random());
    }

    /** 32 random bytes in base 62: what nobody guesses. */
    public static String random() {
        byte[] random = new byte[32];
        RANDOM.nextBytes(random);
        return base62(new BigInteger(1, random));
    }

    /** In as many digits as the largest number of 32 bytes needs, so that all have one length. */
    private static String base62(BigInteger number) {
        char[] text = new char[LENGTH];
        BigInteger left = number;
        for (int i = LENGTH - 1; i >= 0; i--) {
            BigInteger[] divided = left.divideAndRemainder(BASE);
            text[i] = DIGITS.charAt(divided[1].intValue());
            left = divided[0];
        }
        return new String(text);
    }

    /** One that somebody else chose or presents. */
    public static Credential of(String secret) {
        return new Credential(secret);
    }

    /** The credential itself; for its holder only, never for a log. */
    public String reveal() {
        return secret;
    }

    /** SHA-256 of its UTF-8 bytes: what the database keeps. */
    public byte[] hash() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The first characters, for people to tell one credential from another. */
    public String prefix() {
        return secret.substring(0, Math.min(SHOWN, secret.length() / 4));
    }

    @Override
    public String toString() {
        return prefix() + "…";
    }
}
