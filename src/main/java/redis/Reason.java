package redis;

import java.io.IOException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisTimeoutException;

/** Why Redis did not do something, in words that hold nothing of a command: its arguments may be payloads. */
final class Reason {
    private static final int LONGEST = 200;

    private Reason() {}

    static String of(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof RedisTimeoutException) {
            return "it does not answer";
        }
        if (root instanceof IOException && root.getMessage() != null) {
            return "no connection (" + root.getMessage() + ")";
        }
        if (root instanceof IOException
                || root instanceof RedisConnectionException
                || root instanceof ClassCastException) {
            // the second is what Redisson makes of a blocked read whose connection was lost
            return "no connection";
        }
        String message = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        int end = message.length();
        for (String beginning : new String[] {" channel: ", "command: ", "params: ", "\n"}) {
            int at = message.indexOf(beginning);
            end = at < 0 ? end : Math.min(end, at);
        }
        return message.substring(0, Math.min(end, LONGEST)).strip();
    }
}
