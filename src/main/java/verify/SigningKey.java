package verify;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A secret of an adapter, ready to check signatures of one version of a scheme. One instance serves all threads. */
final class SigningKey {

    private static final Pattern PEM =
            Pattern.compile("-----BEGIN (PUBLIC KEY|CERTIFICATE)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

    /** SubjectPublicKeyInfo of an Ed25519 key up to the key itself, RFC 8410. */
    private static final String ED25519_HEADER = "302a300506032b6570032100";

    private static final int ED25519_BYTES = 32;
    private static final int P256_BITS = 256;
    private static final int MIN_RSA_BITS = 1024;

    /** A public key takes so long to try that a sender may not have many guesses tried. */
    private static final int MAX_PUBLIC_TRIES = 4;

    private final Secret secret;
    private final Scheme.Version version;
    private final Key key;

    private SigningKey(Secret secret, Scheme.Version version, Key key) {
        this.secret = secret;
        this.version = version;
        this.key = key;
    }

    /**
     * @throws IllegalArgumentException saying what is wrong with the secret, without quoting it
     */
    static SigningKey of(Secret secret, Scheme scheme) {
        Scheme.Version version = scheme.versionOf(secret);
        String text = secret.value().startsWith(version.keyPrefix())
                ? secret.value().substring(version.keyPrefix().length())
                : secret.value();
        Key key = version.algorithm().isSymmetric()
                ? new SecretKeySpec(bytes(text, version), version.algorithm().jcaName())
                : publicKey(text, version);
        return new SigningKey(secret, version, key);
    }

    private static byte[] bytes(String text, Scheme.Version version) {
        byte[] bytes = switch (version.keyForm()) {
            case TEXT -> text.getBytes(StandardCharsets.UTF_8);
            case BASE64 -> Encoding.BASE64.decode(text.strip()).orElseThrow(() -> unfit("is no base64"));
            case HEX -> Encoding.HEX.decode(text.strip()).orElseThrow(() -> unfit("is no hex"));
            case PEM -> pem(text);
        };
        if (bytes.length == 0) {
            throw unfit("is empty");
        }
        return bytes;
    }

    private static byte[] pem(String text) {
        Matcher pem = PEM.matcher(text);
        if (!pem.find()) {
            throw unfit("is no PEM: it begins with -----BEGIN PUBLIC KEY----- or -----BEGIN CERTIFICATE-----");
        }
        byte[] der = Base64.getMimeDecoder().decode(pem.group(2));
        return pem.group(1).startsWith("CERT") ? keyOfCertificate(der) : der;
    }

    private static byte[] keyOfCertificate(byte[] der) {
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(der))
                    .getPublicKey()
                    .getEncoded();
        } catch (GeneralSecurityException notOne) {
            throw unfit("holds no X.509 certificate that can be read");
        }
    }

    /**
     * A public key, or that of a certificate.
     *
     * @throws IllegalArgumentException when it is none for that algorithm; never quotes it
     */
    static PublicKey ofPem(String text, Algorithm algorithm) {
        return publicKey(text, new Scheme.Version("", algorithm, Encoding.BASE64, Scheme.KeyForm.PEM, ""));
    }

    private static PublicKey publicKey(String text, Scheme.Version version) {
        byte[] bytes = bytes(text, version);
        Algorithm algorithm = version.algorithm();
        if (algorithm == Algorithm.ED25519 && bytes.length == ED25519_BYTES) {
            bytes = HexFormat.of().parseHex(ED25519_HEADER + HexFormat.of().formatHex(bytes));
        }
        try {
            X509EncodedKeySpec encoded = new X509EncodedKeySpec(bytes);
            PublicKey key = switch (algorithm) {
                case ED25519 -> KeyFactory.getInstance("Ed25519").generatePublic(encoded);
                case ECDSA_P256 -> KeyFactory.getInstance("EC").generatePublic(encoded);
                default -> KeyFactory.getInstance("RSA").generatePublic(encoded);
            };
            if (!isOfStrength(key)) {
                throw unfit("is a key of another kind or strength than " + algorithm.title() + " needs");
            }
            return key;
        } catch (GeneralSecurityException notOne) {
            throw unfit("is no public key for " + algorithm.title());
        }
    }

    private static boolean isOfStrength(PublicKey key) {
        if (key instanceof ECPublicKey curve) {
            return curve.getParams().getCurve().getField().getFieldSize() == P256_BITS;
        }
        return key instanceof EdECPublicKey
                || (key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() >= MIN_RSA_BITS);
    }

    private static IllegalArgumentException unfit(String rule) {
        return new IllegalArgumentException(rule);
    }

    Secret secret() {
        return secret;
    }

    Scheme.Version version() {
        return version;
    }

    /** The one of the signatures that is this key's over the bytes; null when none is. All are looked at. */
    byte[] matching(List<byte[]> bytes, List<byte[]> signatures) {
        try {
            return version.algorithm().isSymmetric() ? matchingMac(bytes, signatures) : verified(bytes, signatures);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "every Java platform has " + version.algorithm().jcaName(), e);
        }
    }

    private byte[] matchingMac(List<byte[]> bytes, List<byte[]> signatures) throws GeneralSecurityException {
        byte[] expected = mac(bytes);
        boolean matches = false;
        for (byte[] signature : signatures) {
            matches |= MessageDigest.isEqual(expected, signature);
        }
        return matches ? expected : null;
    }

    /** The signature of these bytes; only of a key that both sides hold. */
    byte[] mac(List<byte[]> bytes) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(version.algorithm().jcaName());
        mac.init(key);
        bytes.forEach(mac::update);
        return mac.doFinal();
    }

    private byte[] verified(List<byte[]> bytes, List<byte[]> signatures) throws GeneralSecurityException {
        for (byte[] signature : signatures.subList(0, Math.min(signatures.size(), MAX_PUBLIC_TRIES))) {
            if (verifies(bytes, signature)) {
                return signature;
            }
        }
        return null;
    }

    private boolean verifies(List<byte[]> bytes, byte[] signature) throws GeneralSecurityException {
        Signature check = Signature.getInstance(version.algorithm().jcaName());
        check.initVerify((PublicKey) key);
        for (byte[] piece : bytes) {
            check.update(piece);
        }
        try {
            return check.verify(signature);
        } catch (SignatureException malformed) {
            // not a signature of this algorithm at all
            return false;
        }
    }
}
