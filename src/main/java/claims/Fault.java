package claims;

import java.sql.SQLException;
import model.Refusal;

/** What a failed statement says about the items of its batch. */
enum Fault {
    /** One item's own data: SQLSTATE classes 22, 23 and 54. Its neighbours may still be done. */
    DATA,
    /** Deadlock or serialization failure: 40P01, 40001. The same again will do. */
    AGAIN,
    /** Everything else, the connection's loss among it. */
    OTHER;

    static Fault of(Throwable thrown) {
        String state = state(thrown);
        return switch (state) {
            case "40P01", "40001" -> AGAIN;
            default ->
                switch (state.substring(0, 2)) {
                    case "22", "23", "54" -> DATA;
                    default -> OTHER;
                };
        };
    }

    /** A row with the same key was made meanwhile. */
    static boolean isUniqueViolation(Throwable thrown) {
        return state(thrown).equals("23505");
    }

    static Refusal unavailable(Throwable thrown) {
        return new Refusal(
                Refusal.Code.DATABASE_UNAVAILABLE,
                "the database did not answer; the same request again is safe (database_unavailable)",
                thrown);
    }

    /** What the database itself said. */
    static String rootMessage(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null
                ? root.getClass().getSimpleName()
                : root.getMessage().lines().findFirst().orElse("");
    }

    private static String state(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState();
            }
        }
        return "none";
    }
}
