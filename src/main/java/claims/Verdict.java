package claims;

import java.util.Locale;

/** What a statement found about one item of its batch. */
enum Verdict {
    /** Done. */
    CHANGED,
    /** Done before, by the same owner and attempt. */
    REPEATED,
    /** Another attempt is the latest one, or another owner's, or it ended otherwise. */
    STALE,
    /** The credential ended, and its node had not heard of it. */
    REFUSED,
    NOT_CLAIMABLE,
    NOT_FAILED,
    /** Another live todo of the queue holds its key. */
    LIVE_TWIN,
    /** No such todo for this caller. */
    UNKNOWN;

    static Verdict of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
