package verify;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import model.Refusal;
import model.TrustMode;

/**
 * Notifications of PayPal (developer.paypal.com, "Self verification method"). What is signed is an id, a time, the id of
 * the webhook and the CRC-32 of the body. Who has one delivery can make another body with the same CRC-32, so the signature
 * says who sends and not that the bytes are theirs: no event is verified by it.
 */
public final class PaypalVerifier implements Verifier {

    /** The only hosts whose certificates are believed. */
    public static final Pattern HOST = Pattern.compile("api(\\.sandbox)?\\.paypal\\.com");

    /** Where certificates stand there. */
    public static final Pattern CERTIFICATE_PATH = Pattern.compile("/v1/notifications/certs/[A-Za-z0-9._-]{1,100}");

    private static final Pattern SUBJECT =
            Pattern.compile("(^|.*,\\s*)CN=messageverificationcerts(\\.sandbox)?\\.paypal\\.com(,.*|$)");
    private static final Selection EVENT_TYPE = Selection.of("body:/event_type");

    private final String adapter;
    private final Certificates certificates;
    private final String webhookId;
    private final Duration tolerance;

    /**
     * @param webhookId as PayPal shows it; it is signed, so a delivery for another webhook is refused
     * @param tolerance how far the time of a delivery may lie from the hub's; zero: however far. PayPal sends one again for
     *     three days, with the same time
     */
    public PaypalVerifier(String adapter, Certificates certificates, String webhookId, Duration tolerance) {
        this.adapter = adapter;
        this.certificates = certificates;
        this.webhookId = webhookId;
        this.tolerance = tolerance;
    }

    @Override
    public TrustMode trustMode() {
        return TrustMode.TOKEN;
    }

    @Override
    public Verified verify(Request request) {
        String id = header(request, "Paypal-Transmission-Id");
        String time = header(request, "Paypal-Transmission-Time");
        String address = header(request, "Paypal-Cert-Url");
        byte[] signature = Encoding.BASE64
                .decode(header(request, "Paypal-Transmission-Sig"))
                .orElseThrow(() -> refusal(Refusal.Code.SIGNATURE_MALFORMED, "Paypal-Transmission-Sig is no base64"));
        if (!header(request, "Paypal-Auth-Algo").equals("SHA256withRSA")) {
            throw refusal(Refusal.Code.SIGNATURE_MALFORMED, "Paypal-Auth-Algo is not SHA256withRSA");
        }
        Instant sent = TimeForm.RFC3339
                .read(time)
                .orElseThrow(() -> refusal(Refusal.Code.SIGNATURE_MALFORMED, "Paypal-Transmission-Time is no time"));
        CRC32 crc = new CRC32();
        crc.update(request.body());
        byte[] bytes =
                "%s|%s|%s|%d".formatted(id, time, webhookId, crc.getValue()).getBytes(StandardCharsets.UTF_8);

        boolean matches = false;
        for (X509Certificate certificate : certificates.at(address, request.at())) {
            boolean ofPaypal = SUBJECT.matcher(
                            certificate.getSubjectX500Principal().getName())
                    .matches();
            matches |= ofPaypal && Certificates.signed(certificate, "SHA256withRSA", bytes, signature);
        }
        if (!matches) {
            throw refusal(
                    Refusal.Code.SIGNATURE_MISMATCH,
                    "Paypal-Transmission-Sig does not match, or its certificate is not trusted here");
        }
        if (!tolerance.isZero() && Duration.between(sent, request.at()).abs().compareTo(tolerance) > 0) {
            throw refusal(
                    Refusal.Code.SIGNATURE_EXPIRED,
                    "was sent more than the tolerance of " + tolerance.toSeconds() + " s ago or ahead");
        }
        return new Verified(
                false,
                "Paypal-Transmission-Sig (RSA-SHA256), which covers no more of the body than its CRC-32",
                EVENT_TYPE.in(new Reading(request, java.util.List.of())),
                id,
                null,
                null);
    }

    private String header(Request request, String name) {
        String value = request.header(name);
        if (value == null) {
            throw refusal(Refusal.Code.SIGNATURE_MISSING, "has no " + name);
        }
        return value;
    }

    private Refusal refusal(Refusal.Code code, String rule) {
        return new Refusal(code, "%s: %s (%s)".formatted(adapter, rule, code.word()));
    }
}
