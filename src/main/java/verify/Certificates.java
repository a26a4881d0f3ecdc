package verify;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The certificate of a provider that signs with one: pinned in adapters.yaml, or fetched from the address that the delivery
 * names, as long as that is one of the provider's own.
 */
public final class Certificates {

    private static final Duration MAX_AGE = Duration.ofHours(24);

    private final List<X509Certificate> pinned;
    private final Optional<Fetching> fetching;

    /**
     * How certificates are fetched.
     *
     * @param host the whole host name of an address, and none other's
     * @param path the whole path
     */
    public record Fetching(Documents documents, Pattern host, Pattern path) {}

    /**
     * @param pinned PEM; any of them will do
     * @param fetching empty: nothing is fetched
     * @throws IllegalArgumentException when one holds no certificate; never quotes it
     */
    public Certificates(List<Secret> pinned, Optional<Fetching> fetching) {
        this.pinned = new ArrayList<>();
        for (Secret pem : pinned) {
            this.pinned.add(parsed(pem.value().getBytes(java.nio.charset.StandardCharsets.UTF_8))
                    .orElseThrow(() -> new IllegalArgumentException("holds no X.509 certificate in PEM")));
        }
        this.fetching = fetching;
    }

    /** Those that may have signed, valid at that time; none where the address is not the provider's. */
    List<X509Certificate> at(String address, Instant time) {
        List<X509Certificate> found = new ArrayList<>(pinned);
        if (found.isEmpty() && fetching.isPresent()) {
            Optional<URI> trusted = trusted(address, fetching.get().host, fetching.get().path);
            trusted.flatMap(uri -> parsed(fetching.get().documents.at(uri, MAX_AGE)))
                    .ifPresent(found::add);
        }
        found.removeIf(certificate -> !isValid(certificate, time));
        return found;
    }

    /** The address, when it is https on that host and path and on nothing that merely looks like it. */
    static Optional<URI> trusted(String address, Pattern host, Pattern path) {
        try {
            URI uri = new URI(address);
            boolean plain = "https".equals(uri.getScheme())
                    && uri.getRawUserInfo() == null
                    && (uri.getPort() == -1 || uri.getPort() == 443)
                    && uri.getRawFragment() == null;
            return plain
                            && uri.getHost() != null
                            && host.matcher(uri.getHost()).matches()
                            && path.matcher(uri.getRawPath()).matches()
                    ? Optional.of(uri)
                    : Optional.empty();
        } catch (URISyntaxException notOne) {
            return Optional.empty();
        }
    }

    private static boolean isValid(X509Certificate certificate, Instant time) {
        try {
            certificate.checkValidity(Date.from(time));
            return true;
        } catch (CertificateException notThen) {
            return false;
        }
    }

    private static Optional<X509Certificate> parsed(byte[] pem) {
        try {
            return Optional.ofNullable((X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem)));
        } catch (CertificateException notOne) {
            return Optional.empty();
        }
    }

    /** Whether the certificate's key made the signature. */
    static boolean signed(X509Certificate certificate, String algorithm, byte[] bytes, byte[] signature) {
        try {
            Signature check = Signature.getInstance(algorithm);
            check.initVerify(certificate.getPublicKey());
            check.update(bytes);
            return check.verify(signature);
        } catch (SignatureException | java.security.InvalidKeyException ofAnotherKind) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }
}
