package intake;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.ProducerTemplate;

/**
 * The connection went away while COMMIT was under way, so nobody said how it ended. The database is asked: by the event
 * id that was made beforehand, and by the fate of the transaction. After a crash transaction ids are handed out again, so
 * their fate is only believed of the server that handed ours out.
 */
final class LostCommit {
    /** The ends that there are. */
    enum Outcome {
        COMMITTED,
        NOTHING_STORED,
        UNKNOWN
    }

    private static final long PAUSE_MILLIS = 50;

    private final ProducerTemplate producer;

    LostCommit(ProducerTemplate producer) {
        this.producer = producer;
    }

    /**
     * Asks until there is an answer.
     *
     * @param deadline {@link System#nanoTime()} after which nobody waits for it
     */
    Outcome of(Batch batch, long deadline) throws InterruptedException {
        Map<String, Object> question = batch.question();
        if (question.isEmpty()) {
            // only duplicates: their first copies were committed by others before
            return Outcome.COMMITTED;
        }
        while (deadline - System.nanoTime() > 0) {
            Outcome outcome = ask(question);
            if (outcome != Outcome.UNKNOWN) {
                return outcome;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        return Outcome.UNKNOWN;
    }

    private Outcome ask(Map<String, Object> question) {
        try {
            String fate = producer.requestBody(GroupCommit.OUTCOME, question, String.class);
            return switch (fate) {
                case "visible", "committed" -> Outcome.COMMITTED;
                case "aborted", "restarted" -> Outcome.NOTHING_STORED;
                default -> Outcome.UNKNOWN;
            };
        } catch (CamelExecutionException stillAway) {
            return Outcome.UNKNOWN;
        }
    }
}
