package intake;

import java.sql.SQLException;

/** What a failed transaction says about its deliveries. */
enum Fault {
    /** One delivery's own data: SQLSTATE classes 22, 23 and 54. Its neighbours may still commit. */
    DATA,
    /** Deadlock or serialization failure: 40P01, 40001. The same again will do. */
    AGAIN,
    /** Somebody holds one of our keys: 55P03 after lock_timeout. */
    LOCKED,
    /** The swallowing key or todo had vanished before it could be read. */
    VANISHED,
    /** Everything else, the connection's loss among it. */
    OTHER;

    static Fault of(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof Vanished) {
                return VANISHED;
            }
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return ofState(sql.getSQLState());
            }
        }
        return OTHER;
    }

    /** Whether the server itself answered COMMIT with an error, which means that it rolled back. */
    static boolean answeredByServer(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                String kind = sql.getSQLState().substring(0, 2);
                // 08: the connection broke; 57: it was ended from outside, possibly after the commit was written
                return !kind.equals("08") && !kind.equals("57");
            }
        }
        return false;
    }

    private static Fault ofState(String state) {
        return switch (state) {
            case "40P01", "40001" -> AGAIN;
            case "55P03" -> LOCKED;
            default ->
                switch (state.substring(0, 2)) {
                    case "22", "23", "54" -> DATA;
                    default -> OTHER;
                };
        };
    }

    /** Thrown inside the transaction when what swallowed a row cannot be found: roll back and write again. */
    static final class Vanished extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Vanished(String what) {
            super(what + " vanished between the insert and its reading");
        }
    }
}
