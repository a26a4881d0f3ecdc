package verify;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import model.Refusal;
import model.TrustMode;

/**
 * Lets in who bears a JSON Web Token (RFC 7519) of an issuer, made out to this adapter: Google Pub/Sub push and others that
 * push with OpenID Connect tokens. It says who sends and nothing about the bytes, so no event is verified by it.
 *
 * <p>Signed with RS256 or ES256 and nothing else: neither {@code none} nor a secret that would be our public key.
 */
public final class JwtVerifier implements Verifier {

    private static final String BEARER = "Bearer ";
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(JWSAlgorithm.RS256, JWSAlgorithm.ES256);
    private static final Duration LEEWAY = Duration.ofSeconds(60);
    private static final Duration KEYS_MAX_AGE = Duration.ofHours(1);
    private static final Duration KEYS_MIN_AGE = Duration.ofMinutes(1);
    private static final int LONGEST = 16_384;

    private final String adapter;
    private final Expected expected;
    private final List<JWK> pinned;
    private final Optional<Fetching> fetching;
    private final Selection eventType;
    private final Selection identity;

    /**
     * What a token must say.
     *
     * @param issuer {@code iss}
     * @param audience one of these must be an {@code aud}
     * @param email {@code email}, which must be verified; empty: any, or none
     */
    public record Expected(String issuer, Set<String> audience, Optional<String> email) {}

    /** Where the issuer's keys stand. */
    public record Fetching(Documents documents, URI jwks) {}

    /**
     * @param pinned the issuer's keys, each a JWK Set (RFC 7517) or a public key in PEM; empty: they are fetched
     * @throws IllegalArgumentException when one holds no key; never quotes it
     */
    public JwtVerifier(
            String adapter,
            Expected expected,
            List<Secret> pinned,
            Optional<Fetching> fetching,
            Selection eventType,
            Selection identity) {
        this.adapter = adapter;
        this.expected = expected;
        this.pinned =
                pinned.stream().flatMap(secret -> keys(secret.value()).stream()).toList();
        this.fetching = fetching;
        this.eventType = eventType;
        this.identity = identity;
    }

    private static List<JWK> keys(String text) {
        try {
            return text.strip().startsWith("{") ? JWKSet.parse(text).getKeys() : List.of(pem(text));
        } catch (ParseException | IllegalArgumentException none) {
            throw new IllegalArgumentException("holds no keys: it is a JWK Set in JSON, or a public key in PEM", none);
        }
    }

    private static JWK pem(String text) {
        try {
            return new RSAKey.Builder((RSAPublicKey) SigningKey.ofPem(text, Algorithm.RSA_SHA256)).build();
        } catch (IllegalArgumentException ofAnotherKind) {
            return new ECKey.Builder(Curve.P_256, (ECPublicKey) SigningKey.ofPem(text, Algorithm.ECDSA_P256)).build();
        }
    }

    @Override
    public TrustMode trustMode() {
        return TrustMode.TOKEN;
    }

    @Override
    public Verified verify(Request request) {
        String authorization = request.header("Authorization");
        if (authorization == null || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throw new Refusal(
                    Refusal.Code.TOKEN_MISSING, adapter + ": no token in Authorization: Bearer (token_missing)");
        }
        SignedJWT token = parsed(authorization.substring(BEARER.length()).strip());
        if (!ALGORITHMS.contains(token.getHeader().getAlgorithm())) {
            throw mismatch("it is signed with another algorithm than RS256 and ES256");
        }
        if (!isSigned(token)) {
            throw mismatch("no key of the issuer made its signature");
        }
        JWTClaimsSet claims = claims(token);
        checkClaims(claims, request.at());
        Reading reading = new Reading(request, List.of());
        return new Verified(
                false,
                "JWT of " + claims.getIssuer() + " for " + Text.line(String.valueOf(claims.getClaim("email")), 100)
                        + ", which says nothing of the body",
                eventType.in(reading),
                identity.in(reading),
                null,
                null);
    }

    private SignedJWT parsed(String text) {
        try {
            if (text.length() <= LONGEST) {
                return SignedJWT.parse(text);
            }
        } catch (ParseException | RuntimeException notOne) {
            throw mismatch("it is no signed JWT");
        }
        throw mismatch("it is longer than " + LONGEST + " characters");
    }

    private boolean isSigned(SignedJWT token) {
        if (fetching.isEmpty()) {
            return isSignedBy(token, pinned);
        }
        // a key that we have not seen may be a new one, so the set is looked at again, but not for every stranger
        return isSignedBy(token, fetched(KEYS_MAX_AGE)) || isSignedBy(token, fetched(KEYS_MIN_AGE));
    }

    private List<JWK> fetched(Duration maxAge) {
        byte[] set = fetching.orElseThrow().documents.at(fetching.get().jwks, maxAge);
        try {
            return JWKSet.parse(new String(set, StandardCharsets.UTF_8)).getKeys();
        } catch (ParseException none) {
            throw new Refusal(
                    Refusal.Code.KEYS_UNAVAILABLE,
                    adapter + ": " + fetching.get().jwks + " holds no set of keys (keys_unavailable)",
                    none);
        }
    }

    private static boolean isSignedBy(SignedJWT token, List<JWK> keys) {
        String wanted = token.getHeader().getKeyID();
        for (JWK key : keys) {
            boolean meant = wanted == null || key.getKeyID() == null || wanted.contentEquals(key.getKeyID());
            if (meant && isSignedBy(token, key)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSignedBy(SignedJWT token, JWK key) {
        try {
            JWSAlgorithm algorithm = token.getHeader().getAlgorithm();
            Optional<JWSVerifier> verifier = Optional.empty();
            if (key instanceof RSAKey rsa && algorithm.equals(JWSAlgorithm.RS256)) {
                verifier = Optional.of(new RSASSAVerifier(rsa.toRSAPublicKey()));
            } else if (key instanceof ECKey curve && algorithm.equals(JWSAlgorithm.ES256)) {
                verifier = Optional.of(new ECDSAVerifier(curve.toECPublicKey()));
            }
            return verifier.isPresent() && token.verify(verifier.get());
        } catch (JOSEException | RuntimeException ofAnotherKind) {
            return false;
        }
    }

    private JWTClaimsSet claims(SignedJWT token) {
        try {
            return token.getJWTClaimsSet();
        } catch (ParseException none) {
            throw mismatch("its claims cannot be read");
        }
    }

    private void checkClaims(JWTClaimsSet claims, Instant at) {
        List<String> wrong = new ArrayList<>();
        if (!expected.issuer.equals(claims.getIssuer())) {
            wrong.add("iss");
        }
        if (claims.getAudience().stream().noneMatch(expected.audience::contains)) {
            wrong.add("aud");
        }
        if (claims.getExpirationTime() == null
                || claims.getExpirationTime().toInstant().isBefore(at.minus(LEEWAY))) {
            wrong.add("exp");
        }
        if (isAhead(claims.getNotBeforeTime(), at)) {
            wrong.add("nbf");
        }
        if (isAhead(claims.getIssueTime(), at)) {
            wrong.add("iat");
        }
        if (expected.email.isPresent()
                && !(expected.email.get().equals(claims.getClaim("email"))
                        && Boolean.TRUE.equals(claims.getClaim("email_verified")))) {
            wrong.add("email");
        }
        if (!wrong.isEmpty()) {
            throw mismatch("its " + String.join(", ", wrong) + " is not as it must be");
        }
    }

    private static boolean isAhead(Date time, Instant at) {
        return time != null && time.toInstant().isAfter(at.plus(LEEWAY));
    }

    private Refusal mismatch(String rule) {
        return new Refusal(
                Refusal.Code.TOKEN_MISMATCH,
                "%s: the token is not let in: %s (token_mismatch)".formatted(adapter, rule));
    }
}
