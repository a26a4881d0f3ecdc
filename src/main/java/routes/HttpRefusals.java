package routes;

import http.Json;
import http.Problem;
import http.RefusalWriter;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import model.Refusal;
import model.Refusal.Code;

/**
 * What a refusal looks like to its caller: code → status, in one place. {@code docs/errors.md} lists the same rows, and a
 * test compares them.
 */
public final class HttpRefusals implements RefusalWriter {
    /** The status of each code. */
    public static final Map<Code, Integer> STATUS = statuses();

    private static Map<Code, Integer> statuses() {
        Map<Code, Integer> status = new EnumMap<>(Code.class);
        status.put(Code.INVALID_REQUEST, 400);
        status.put(Code.INVALID_JSON, 400);
        status.put(Code.UNAUTHORIZED, 401);
        status.put(Code.SIGNATURE_MISSING, 401);
        status.put(Code.SIGNATURE_MALFORMED, 401);
        status.put(Code.SIGNATURE_MISMATCH, 401);
        status.put(Code.SIGNATURE_EXPIRED, 401);
        status.put(Code.TOKEN_MISSING, 403);
        status.put(Code.TOKEN_MISMATCH, 403);
        status.put(Code.FORBIDDEN_QUEUE, 403);
        status.put(Code.FORBIDDEN_VERB, 403);
        status.put(Code.ADDRESS_NOT_ALLOWED, 403);
        status.put(Code.NOT_FOUND, 404);
        status.put(Code.METHOD_NOT_ALLOWED, 405);
        status.put(Code.BODY_TIMEOUT, 408);
        status.put(Code.NOT_CLAIMABLE, 409);
        status.put(Code.STALE_ATTEMPT, 409);
        status.put(Code.LIVE_TWIN, 409);
        status.put(Code.NOT_FAILED, 409);
        status.put(Code.NAME_TAKEN, 409);
        status.put(Code.NOT_POSSIBLE, 409);
        status.put(Code.LIMIT_REACHED, 409);
        status.put(Code.BODY_TOO_LARGE, 413);
        status.put(Code.RESULT_TOO_LARGE, 413);
        status.put(Code.UNSUPPORTED_MEDIA_TYPE, 415);
        status.put(Code.DELIVERY_UNSTORABLE, 422);
        status.put(Code.RATE_LIMITED, 429);
        status.put(Code.INTERNAL, 500);
        status.put(Code.OVERLOADED, 503);
        status.put(Code.DATABASE_UNAVAILABLE, 503);
        status.put(Code.COMMIT_UNKNOWN, 503);
        status.put(Code.KEYS_UNAVAILABLE, 503);
        status.put(Code.STARTING, 503);
        status.put(Code.STOPPING, 503);
        return status;
    }

    @Override
    public Problem problem(Refusal refusal) {
        int status = STATUS.get(refusal.code());
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", "about:blank");
        body.put("title", title(refusal.code()));
        body.put("status", status);
        body.put("code", refusal.code().word());
        body.put("detail", refusal.getMessage());
        body.putAll(refusal.fields());
        return new Problem(status, headers(refusal, status), Json.bytes(body));
    }

    /** A database that is away is no fault of the hub: {@code database_unavailable} instead of {@code internal}. */
    @Override
    public Refusal refusal(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof Refusal refusal) {
                return refusal;
            }
            if (cause instanceof SQLException sql && away(sql)) {
                return new Refusal(
                        Code.DATABASE_UNAVAILABLE,
                        "nothing was done, the database is away; try again (database_unavailable)",
                        thrown);
            }
        }
        return RefusalWriter.super.refusal(thrown);
    }

    /** SQLSTATE classes 08 (connection), 53 (resources), 57 (ended from outside); a pool without connections gives none. */
    private static boolean away(SQLException sql) {
        String state = sql.getSQLState();
        return state == null || state.startsWith("08") || state.startsWith("53") || state.startsWith("57");
    }

    private static Map<String, String> headers(Refusal refusal, int status) {
        if (refusal.code() == Code.UNAUTHORIZED) {
            return Map.of("WWW-Authenticate", "Bearer");
        }
        if (refusal.fields().get("allow") instanceof String methods) {
            return Map.of("Allow", methods);
        }
        return status == 503 || status == 429
                ? Map.of(
                        "Retry-After",
                        refusal.fields().getOrDefault("retry_after_seconds", 1).toString())
                : Map.of();
    }

    private static String title(Code code) {
        String words = code.word().replace('_', ' ');
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
