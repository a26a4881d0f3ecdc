package access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** A bearer credential: {@code swb_} and 32 random bytes. Shown once, stored as its SHA-256 and a display prefix. */
public final class Credential {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int SHOWN = 8;

    private final String secret;

    private Credential(String secret) {
        this.secret = secret;
    }

    /** A new one. */
    public static Credential mint() {
        byte[] random = new byte[32];
        RANDOM.nextBytes(random);
        return new Credential("swb_" + HexFormat.of().formatHex(random));
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
