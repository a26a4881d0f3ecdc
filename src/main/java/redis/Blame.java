package redis;

import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import model.Refusal;

/** Whose fault it is that an exchange failed. */
enum Blame {
    /** The entry can never become a delivery. */
    ENTRY_FOR_GOOD,
    /** The entry's own data, or the route's way with it: counted, and put aside when it goes on. */
    ENTRY,
    /** Nobody's that the entry could help: the database or another system is away, the hub is full or stops. */
    PASSING;

    static Blame of(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof Refusal refusal) {
                return ofCode(refusal.code());
            }
            if (isOutage(cause)) {
                return PASSING;
            }
        }
        return ENTRY;
    }

    private static boolean isOutage(Throwable cause) {
        return cause instanceof IOException
                || cause instanceof SQLException
                || cause instanceof TimeoutException
                || cause instanceof RejectedExecutionException;
    }

    private static Blame ofCode(Refusal.Code code) {
        return switch (code) {
            case BODY_TOO_LARGE, INVALID_REQUEST, INVALID_JSON, UNSUPPORTED_MEDIA_TYPE -> ENTRY_FOR_GOOD;
            case DELIVERY_UNSTORABLE -> ENTRY;
            default -> PASSING;
        };
    }
}
