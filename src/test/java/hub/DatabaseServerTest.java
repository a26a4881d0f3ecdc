package hub;

import static org.assertj.core.api.Assertions.assertThat;

import hub.Database.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which servers may be the record of everything. */
class DatabaseServerTest {
    @ParameterizedTest
    @ValueSource(ints = {14, 15, 16, 17, 18})
    void aWritableUtf8ServerThatSyncsIsFine(int major) {
        assertThat(new Server(major, "UTF8", false, false, true).objection()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "13, UTF8, false, false, true, PostgreSQL 13",
        "19, UTF8, false, false, true, PostgreSQL 19",
        "18, SQL_ASCII, false, false, true, UTF8",
        "18, UTF8, true, true, true, primary",
        "18, UTF8, false, true, true, read-only",
        "18, UTF8, false, false, false, fsync"
    })
    void anyOtherIsRefusedWithItsReason(
            int major, String encoding, boolean inRecovery, boolean readOnly, boolean fsync, String reason) {
        assertThat(new Server(major, encoding, inRecovery, readOnly, fsync).objection())
                .get()
                .asString()
                .contains(reason);
    }

    @Test
    void aStandbyIsCalledOneThoughItIsReadOnlyToo() {
        assertThat(new Server(18, "UTF8", true, true, true).objection())
                .get()
                .asString()
                .contains("standby");
    }
}
