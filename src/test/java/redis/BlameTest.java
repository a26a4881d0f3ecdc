package redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParseException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.MalformedInputException;
import java.sql.SQLException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import model.Refusal;
import org.apache.camel.CamelExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An outage must not put good entries aside, and an entry that is wrong must not stop the others. */
class BlameTest {

    static Stream<Exception> outages() {
        return Stream.of(
                new ConnectException("Connection refused"),
                new IOException("Connection reset by peer"),
                new TimeoutException(),
                new SQLException("away", "08006"),
                new SQLException("no state"),
                new CamelExecutionException("wrapped", null, new ConnectException("Connection refused")));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void outagesPass(Exception outage) {
        assertThat(Blame.of(outage)).isEqualTo(Blame.PASSING);
    }

    static Stream<Exception> mistakes() {
        return Stream.of(
                new JsonParseException(null, "no JSON"),
                new MalformedInputException(1),
                new SQLException("too long", "22001"),
                new SQLException("twice", "23505"),
                new IllegalStateException("nobody knows"),
                new Refusal(Refusal.Code.DELIVERY_UNSTORABLE, "no such data", new SQLException("", "22021")));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void whatTheEntryItselfCausesIsCounted(Exception mistake) {
        assertThat(Blame.of(mistake)).isEqualTo(Blame.ENTRY);
        assertThat(Blame.of(new CamelExecutionException("wrapped", null, mistake)))
                .isEqualTo(Blame.ENTRY);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "OVERLOADED",
                "DATABASE_UNAVAILABLE",
                "COMMIT_UNKNOWN",
                "STARTING",
                "STOPPING",
                "NOT_FOUND",
                "INTERNAL",
                "RATE_LIMITED"
            })
    void refusalsThatSayComeBackPass(Refusal.Code code) {
        assertThat(Blame.of(new Refusal(code, "later"))).isEqualTo(Blame.PASSING);
    }

    @Test
    void whatCanNeverBeADeliveryIsNotTriedAgain() {
        assertThat(Blame.of(new Refusal(Refusal.Code.BODY_TOO_LARGE, "too large")))
                .isEqualTo(Blame.ENTRY_FOR_GOOD);
    }
}
