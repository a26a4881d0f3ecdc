package pgevent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import fixtures.TestDatabase;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class NotificationsTest {
    @AutoClose
    private static final TestDatabase DATABASE = TestDatabase.empty();

    @Test
    void longestPayloadThatPostgresTakesIsAccepted() {
        String longest = "x".repeat(7999);

        assertThat(Notifications.checkPayload(longest)).isSameAs(longest);

        assertThat(DATABASE.query("SELECT pg_notify('limits', ?)", longest)).hasSize(1);
    }

    @Test
    void payloadThatPostgresWouldRefuseIsRefusedBeforeTheRoundTrip() {
        String tooLong = "x".repeat(8000);

        Notifications.PayloadTooLarge refused =
                catchThrowableOfType(Notifications.PayloadTooLarge.class, () -> Notifications.checkPayload(tooLong));

        assertThat(refused.bytes()).isEqualTo(8000);
        assertThat(refused).hasMessageContaining("8000 bytes").hasMessageContaining("send its id");
        assertThatThrownBy(() -> DATABASE.query("SELECT pg_notify('limits', ?)", tooLong))
                .hasMessageContaining("payload string too long");
    }

    @Test
    void payloadIsMeasuredInBytesNotInLetters() {
        assertThat(Notifications.checkPayload("é".repeat(3999))).hasSize(3999);

        assertThatThrownBy(() -> Notifications.checkPayload("é".repeat(4000)))
                .isInstanceOf(Notifications.PayloadTooLarge.class);
    }
}
