package model;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Why something was not done, with a stable code. The message names the thing, the rule and the next step, and never a
 * secret. {@code routes.HttpRefusals} turns the code into a status.
 */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Stable codes; {@code docs/errors.md} lists them with their status. */
    public enum Code {
        INVALID_REQUEST,
        INVALID_JSON,
        UNAUTHORIZED,
        SIGNATURE_MISSING,
        SIGNATURE_MALFORMED,
        SIGNATURE_MISMATCH,
        SIGNATURE_EXPIRED,
        TOKEN_MISSING,
        TOKEN_MISMATCH,
        FORBIDDEN_QUEUE,
        FORBIDDEN_VERB,
        ADDRESS_NOT_ALLOWED,
        NOT_FOUND,
        METHOD_NOT_ALLOWED,
        BODY_TIMEOUT,
        NOT_CLAIMABLE,
        STALE_ATTEMPT,
        LIVE_TWIN,
        NOT_FAILED,
        NAME_TAKEN,
        NOT_POSSIBLE,
        LIMIT_REACHED,
        BODY_TOO_LARGE,
        RESULT_TOO_LARGE,
        UNSUPPORTED_MEDIA_TYPE,
        DELIVERY_UNSTORABLE,
        RATE_LIMITED,
        INTERNAL,
        OVERLOADED,
        DATABASE_UNAVAILABLE,
        COMMIT_UNKNOWN,
        KEYS_UNAVAILABLE,
        STARTING,
        STOPPING;

        /** The word in an answer: {@code signature_mismatch}. */
        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    private final Code code;
    private final transient Map<String, Object> fields = new LinkedHashMap<>();

    public Refusal(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Refusal(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** For who bears no credential, or none that lives any more: in the same words wherever that is noticed. */
    public static Refusal unauthorized() {
        return new Refusal(
                Code.UNAUTHORIZED, "send a live credential as: Authorization: Bearer <credential> (unauthorized)");
    }

    /** Adds a field that the answer shows beside the code, for example the id of a live twin. */
    public Refusal with(String name, Object value) {
        fields.put(name, value);
        return this;
    }

    public Code code() {
        return code;
    }

    public Map<String, Object> fields() {
        return fields;
    }
}
