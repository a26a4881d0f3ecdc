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
        return cause instanceof TimeoutException
                || cause instanceof RejectedExecutionException
                || (cause instanceof IOException io && isOfAConnection(io))
                || (cause instanceof SQLException sql && !isOfTheData(sql));
    }

    /** Not those that say that data is no JSON, no UTF-8 or no archive, which are IOExceptions as well. */
    private static boolean isOfAConnection(IOException io) {
        String room = io.getClass().getPackageName();
        return io.getClass() == IOException.class
                || room.startsWith("java.net")
                || room.equals("java.nio.channels")
                || room.equals("javax.net.ssl");
    }

    /** SQLSTATE classes 22, 23 and 54. */
    private static boolean isOfTheData(SQLException sql) {
        String state = String.valueOf(sql.getSQLState());
        return state.startsWith("22") || state.startsWith("23") || state.startsWith("54");
    }

    private static Blame ofCode(Refusal.Code code) {
        return switch (code) {
            case BODY_TOO_LARGE, INVALID_REQUEST, INVALID_JSON, UNSUPPORTED_MEDIA_TYPE -> ENTRY_FOR_GOOD;
            case DELIVERY_UNSTORABLE -> ENTRY;
            default -> PASSING;
        };
    }
}
